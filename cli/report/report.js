/* The charts of a report. What they show is the JSON in #data; see report_data.c for what is in it. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const LARGEST_SCALE = 50; /* of ratios, as in the library */
const BINS = 20; /* of the histogram */

function element(id) {
    return document.getElementById(id);
}

/* With a true minus sign, and none before 0. */
function fixed(number, digits) {
    const text = number.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

/* ---- axes ---- */

/* Round numbers that cut a range into about so many parts. */
function ticks(from, to, parts) {
    const rough = (to - from) / parts;
    const power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((s) => s >= rough * 0.999);
    const all = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++)
        all.push({ at: k * step, text: tickText(k * step, step) });
    return all;
}

function tickText(value, step) {
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    if (Math.abs(value) >= 1e6 || digits > 6) return value.toExponential(0);
    return fixed(value, digits);
}

/* For an axis of square roots, which shows small counts next to large ones. */
function rootTicks(from, to, parts) {
    const rounded = Array.from({ length: parts + 1 }, (_, k) => Number((to * (k / parts) ** 2).toPrecision(1)));
    return [...new Set(rounded)].filter((at) => at <= to).map((at) => ({ at, text: tickText(at, 1) }));
}

/* Ticks of logits say, on a second line, which score that is. */
function logitTicks(from, to, parts) {
    return ticks(from, to, parts).map((tick) => {
        const score = 1 / (1 + Math.exp(-tick.at));
        return { ...tick, below: score > 0.999 ? ">0.999" : score < 0.001 ? "<0.001" : score.toPrecision(score > 0.5 ? 3 : 2) };
    });
}

/* Pixels, about, of the longest text. */
function widest(texts) {
    return 7.5 * Math.max(...texts.map((text) => text.length));
}

/* ---- a chart ---- */

/* What draws into one: coordinates of the data become pixels. */
class Plot {
    constructor(place, axes) {
        this.axes = axes;
        this.width = Math.max(place.clientWidth, 200);
        this.height = Math.max(place.clientHeight, 120);
        this.left = axes.names ? widest(axes.names) + 12 : widest(this.yTicks().map((tick) => tick.text)) + 32;
        this.right = this.width - 14;
        this.top = 12;
        this.bottom = this.height - (axes.x.ticks === logitTicks ? 58 : 44);
        this.svg = this.node("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": axes.label });
        this.target = this.svg;
        this.drawAxes();
        this.clip(place.id);
    }

    x(value) {
        const { from, to } = this.axes.x;
        return this.left + ((value - from) / (to - from)) * (this.right - this.left);
    }

    y(value) {
        const { from, to, scale = (height) => height } = this.axes.y;
        return this.bottom - ((scale(value) - scale(from)) / (scale(to) - scale(from))) * (this.bottom - this.top);
    }

    yTicks() {
        const { from, to, ticks: own = ticks } = this.axes.y;
        return own(from, to, 5);
    }

    node(tag, attributes, text) {
        const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
        if (text !== undefined) node.textContent = text;
        return node;
    }

    add(tag, attributes, text) {
        return this.target.appendChild(this.node(tag, attributes, text));
    }

    /* From now on, what is outside of the axes is not seen. */
    clip(name) {
        const clip = this.add("clipPath", { id: `clip-${name}` });
        clip.appendChild(this.node("rect", { x: this.left, y: this.top - 7, width: this.right - this.left, height: this.bottom - this.top + 14 }));
        this.target = this.add("g", { "clip-path": `url(#clip-${name})` });
    }

    drawAxes() {
        const { x, y } = this.axes;
        const middle = (this.left + this.right) / 2;
        for (const tick of (x.ticks ?? ticks)(x.from, x.to, this.width < 420 ? 5 : 8)) {
            const at = this.x(tick.at);
            this.add("line", { class: "grid", x1: at, x2: at, y1: this.top, y2: this.bottom });
            this.add("text", { x: at, y: this.bottom + 16, "text-anchor": "middle" }, tick.text);
            if (tick.below) this.add("text", { x: at, y: this.bottom + 30, "text-anchor": "middle" }, tick.below);
        }
        this.add("text", { x: middle, y: this.height - 6, "text-anchor": "middle" }, x.title);
        if (this.axes.names) return this.drawNames();
        for (const tick of this.yTicks()) {
            const at = this.y(tick.at);
            this.add("line", { class: "grid", x1: this.left, x2: this.right, y1: at, y2: at });
            this.add("text", { x: this.left - 6, y: at + 4, "text-anchor": "end" }, tick.text);
        }
        const center = (this.top + this.bottom) / 2;
        this.add("text", { x: 12, y: center, "text-anchor": "middle", transform: `rotate(-90 12 ${center})` }, y.title);
    }

    /* In place of numbers on the other axis. */
    drawNames() {
        this.axes.names.forEach((name, i) =>
            this.add("text", { class: "name", x: this.left - 8, y: this.y(i) + 4, "text-anchor": "end" }, name));
    }

    /* Points that are no numbers interrupt the line. */
    curve(name, xs, ys) {
        let path = "";
        let begun = false;
        ys.forEach((value, i) => {
            if (value !== null) path += `${begun ? "L" : "M"}${this.x(xs[i]).toFixed(1)} ${this.y(value).toFixed(1)}`;
            begun = value !== null;
        });
        this.add("path", { class: name, d: path });
    }

    /* Between two lines with as many points each. */
    area(xs1, ys1, xs2, ys2) {
        const there = xs1.map((x, i) => [x, ys1[i]]);
        const back = xs2.map((x, i) => [x, ys2[i]]).reverse();
        const corners = [...there, ...back].map(([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`);
        this.add("path", { class: "band", d: `M${corners.join("L")}Z` });
    }

    vertical(name, at) {
        this.add("line", { class: name, x1: this.x(at), x2: this.x(at), y1: this.top, y2: this.bottom });
    }

    horizontal(name, at) {
        this.add("line", { class: name, x1: this.left, x2: this.right, y1: this.y(at), y2: this.y(at) });
    }

    band(from, to) {
        this.add("rect", { class: "band", x: this.x(from), y: this.top, width: this.x(to) - this.x(from), height: this.bottom - this.top });
    }
}

/* Draws now and whenever the width changes; gives the function that draws again. axes() says how. */
function chart(id, axes, draw) {
    const place = element(id);
    const redraw = () => {
        const plot = new Plot(place, axes());
        draw(plot);
        place.replaceChildren(plot.svg);
    };
    new ResizeObserver(redraw).observe(place);
    return redraw;
}

/* ---- posteriors at another alpha ---- */

/* The scale s with mean min(s r, 1) = alpha; ratios grow, so the rows that are full are the last ones. */
function scaleFor(points, alpha) {
    const below = [0]; /* sums of weight times ratio of the rows before */
    points.ratio.forEach((ratio, k) => below.push(below[k] + points.weight[k] * ratio));
    let missing = alpha * points.total;
    for (let k = points.ratio.length - 1; k >= 0; k--) {
        const scale = missing / below[k + 1];
        if (scale * points.ratio[k] <= 1) return Math.min(scale, LARGEST_SCALE);
        missing -= points.weight[k];
    }
    return LARGEST_SCALE;
}

function readPoints() {
    const weight = data.points.weight ?? data.points.rows;
    return { ...data.points, weight, total: weight.reduce((sum, w) => sum + w, 0) };
}

/* What there is to say at this alpha and threshold. */
function answerAt(points, alpha, threshold) {
    const isEstimate = Math.abs(alpha - data.alpha) <= 0.0005 + 1e-9;
    const follows = !isEstimate && !data.trained; /* the slider */
    const scale = follows ? scaleFor(points, alpha) : data.scale;
    const scales = follows ? [[scale, 1]] : data.scales;
    const bins = new Array(BINS).fill(0);
    let above = 0;
    let sum = 0;
    points.ratio.forEach((ratio, k) => {
        const posterior = scales.reduce((mean, [s, weight]) => mean + weight * Math.min(s * ratio, 1), 0);
        bins[Math.min(Math.floor(posterior * BINS), BINS - 1)] += points.rows[k];
        if (posterior > threshold) above += points.rows[k];
        sum += points.weight[k] * posterior;
    });
    const shown = isEstimate ? data.alpha : alpha;
    return { alpha: shown, isEstimate, threshold, scale, bins, above, mean: sum / points.total, d: curveAt(shown) };
}

/* D between the points of the curve, which are at equal steps. */
function curveAt(alpha) {
    const at = alpha * (data.curve.length - 1);
    const k = Math.min(Math.floor(at), data.curve.length - 2);
    return data.curve[k] + (at - k) * (data.curve[k + 1] - data.curve[k]);
}

/* ---- the charts of one estimate ---- */

function drawCurve(current) {
    const alphas = data.curve.map((_, i) => i / (data.curve.length - 1));
    const lowest = Math.min(0, ...data.curve);
    const highest = Math.max(0.01, ...data.curve);
    const pad = (highest - lowest) * 0.05;
    const axes = () => ({
        label: `D of alpha; at ${current().alpha.toFixed(3)} it is ${current().d.toFixed(3)}`,
        x: { from: 0, to: 1, title: "alpha" },
        y: { from: lowest - pad, to: highest + pad, title: "D(alpha)" },
    });
    return chart("curve", axes, (plot) => {
        if (data.interval) plot.band(data.interval[0], data.interval[1]);
        plot.horizontal("zero", 0);
        plot.vertical("estimate", data.alpha);
        plot.curve("d", alphas, data.curve);
        plot.add("circle", { class: "marker", cx: plot.x(current().alpha), cy: plot.y(current().d), r: 7 });
    });
}

function drawHistogram(current) {
    const axes = () => ({
        label: `Histogram of posteriors; ${current().above} rows are above ${current().threshold}`,
        x: { from: 0, to: 1, title: "posterior" },
        y: { from: 0, to: Math.max(1, ...current().bins) * 1.05, title: "unlabeled rows", scale: Math.sqrt, ticks: rootTicks },
    });
    return chart("histogram", axes, (plot) => {
        const { bins, threshold } = current();
        const width = plot.x(1 / BINS) - plot.x(0);
        bins.forEach((rows, k) => {
            const isAbove = k / BINS >= threshold - 1e-9;
            plot.add("rect", { class: isAbove ? "bar above" : "bar", "data-rows": rows, x: plot.x(k / BINS) + 0.5, y: plot.y(rows),
                               width: Math.max(width - 1, 1), height: plot.y(0) - plot.y(rows) });
        });
        plot.vertical("threshold", threshold);
    });
}

function logitAxis() {
    return { from: data.grid.logit[0], to: data.grid.logit[data.grid.logit.length - 1], title: "logit of the score, and the score", ticks: logitTicks };
}

function drawDensities() {
    const { logit, positive, unlabeled } = data.grid;
    const axes = () => ({
        label: "Densities of labeled and unlabeled scores",
        x: logitAxis(),
        y: { from: 0, to: Math.max(...positive, ...unlabeled) * 1.05 || 1, title: "density" },
    });
    return chart("densities", axes, (plot) => {
        plot.curve("unlabeled", logit, unlabeled);
        plot.curve("labeled", logit, positive);
    });
}

/* Where hardly any unlabeled row is, the ratio before smoothing has no bounds: the axis is for the other. */
function drawRatio(current) {
    const { logit, positive, unlabeled, ratio } = data.grid;
    const raw = positive.map((p, i) => (p !== null && unlabeled[i] > 0 ? p / unlabeled[i] : null));
    const highest = Math.max(1.5, ...ratio) * 1.3;
    const hasFull = () => current().scale > 0 && !data.trained;
    const plain = data.scales.length > 1 ? "plain " : "";
    const axes = () => ({
        label: "Density ratio before and after smoothing" + (hasFull() ? `; ${plain}posteriors are 1 from ${(1 / current().scale).toFixed(2)} up` : ""),
        x: logitAxis(),
        y: { from: 0, to: highest, title: "f_p / f_u" },
    });
    return chart("ratio", axes, (plot) => {
        plot.curve("raw", logit, raw.map((r) => (r === null ? null : Math.min(r, 2 * highest))));
        plot.curve("smoothed", logit, ratio);
        if (hasFull()) plot.horizontal("full", Math.min(1 / current().scale, 2 * highest));
    });
}

function noteAt(answer) {
    if (data.trained) return "These posteriors are of networks trained with the estimate; they do not follow the slider.";
    if (answer.isEstimate) return "This is the alpha of the answer.";
    if (answer.scale >= LARGEST_SCALE) return "The scores do not support so high a share: ratios are scaled by at most 50.";
    return `Posteriors as with --alpha ${answer.alpha.toFixed(3)}${data.scales.length > 1 ? " --posterior plain" : ""}.`;
}

function showAnswer(answer) {
    element("at-alpha").textContent = fixed(answer.alpha, answer.isEstimate ? 4 : 3);
    element("at-d").textContent = fixed(answer.d, 4);
    element("at-mean").textContent = fixed(answer.mean, 4);
    element("at-above").textContent = `${data.summarised ? "about " : ""}${answer.above} of ${data.rows}`;
    element("at-note").textContent = noteAt(answer);
    element("slider").setAttribute("aria-valuetext", `alpha ${answer.alpha.toFixed(3)}, ${answer.above} rows above the threshold`);
}

function showEstimate() {
    const points = readPoints();
    const slider = element("slider");
    const threshold = element("threshold");
    let answer = answerAt(points, data.alpha, 0.5);
    const current = () => answer;
    const charts = [drawCurve(current), drawHistogram(current)];
    if (data.grid) {
        drawDensities();
        charts.push(drawRatio(current));
    }
    const update = () => {
        const limit = threshold.valueAsNumber;
        answer = answerAt(points, slider.valueAsNumber, limit >= 0 && limit <= 1 ? limit : answer.threshold);
        showAnswer(answer);
        charts.forEach((redraw) => redraw());
    };
    slider.addEventListener("input", update);
    threshold.addEventListener("input", update);
    element("reset").addEventListener("click", () => {
        slider.value = data.alpha;
        threshold.value = 0.5;
        update();
    });
    slider.value = data.alpha; /* a browser may have kept another after a reload */
    threshold.value = 0.5;
    update();
}

/* ---- several methods, or classifiers ---- */

function showComparison() {
    const methods = data.methods.filter((method) => method.value !== null);
    const reference = methods.find((method) => method.reference && method.low !== null);
    const axes = () => ({
        label: `${data.measure} of each with its interval; the numbers are in the table`,
        names: methods.map((method) => method.name),
        x: { from: data.from, to: 1, title: data.measure },
        y: { from: methods.length - 0.5, to: -0.5 },
    });
    chart("methods", axes, (plot) => {
        if (reference) plot.band(reference.low, reference.high);
        methods.forEach((method, i) => drawMethod(plot, method, i));
    });
}

/* A dot, or a square where it differs: not by colour alone. */
function drawMethod(plot, method, row) {
    const kind = method.differs ? "differs" : method.reference ? "reference" : "agrees";
    const [x, y] = [plot.x(method.value), plot.y(row)];
    if (method.low !== null)
        plot.add("line", { class: `whisker ${kind}`, x1: plot.x(method.low), x2: plot.x(method.high), y1: y, y2: y });
    if (method.differs) plot.add("rect", { class: kind, x: x - 6, y: y - 6, width: 12, height: 12 });
    else plot.add("circle", { class: kind, cx: x, cy: y, r: 6 });
}

if (data.methods) showComparison();
else if (data.points) showEstimate();
