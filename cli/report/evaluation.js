
/* ---- how good it is, and where to cut; report_evaluation.c makes the numbers ---- */

const evaluations = data.evaluations.supposed;
const total = data.evaluations.total; /* unlabeled rows, by weight */

/* The estimate at a place of the curve, the ends of its range, and the truth if it is known. */
function measureAt({ evaluation, place }, name) {
    const [value, low, high] = evaluation.curve[name].map((column) => column[place]);
    return { value, low, high, truth: evaluation.truth?.[name][place] };
}

function small(text) {
    const node = document.createElement("small");
    node.textContent = text;
    return node;
}

function showMeasure(id, { value, low, high, truth }) {
    element(id).replaceChildren(fixed(value, 3), small(`${fixed(low, 3)} to ${fixed(high, 3)}`));
    if (truth !== undefined) element(id).append(small(`in truth ${truth === null ? "none" : fixed(truth, 3)}`));
}

/* Weights need not be whole. */
function rowsText(rows) {
    return String(Number(rows.toPrecision(10)));
}

function showCut(cut) {
    const { curve, alpha, threshold } = cut.evaluation;
    const rows = curve.rows[cut.place];
    const flagged = `${rowsText(rows)} of ${rowsText(total)}`;
    element("cut-score").textContent = Number(curve.score[cut.place].toPrecision(6));
    element("cut-posterior").textContent = fixed(curve.posterior[cut.place], 4);
    element("cut-rows").replaceChildren(flagged, small(`${fixed((100 * rows) / total, 1)}%`));
    for (const name of ["precision", "recall", "lift", "f1"]) showMeasure(`cut-${name}`, measureAt(cut, name));
    const isEstimate = cut.evaluation === evaluations[data.evaluations.estimate];
    const note = cut.place === threshold ? "The threshold of the table above." : "";
    element("cut-note").textContent = isEstimate ? note : `As if alpha were known to be ${alpha.toFixed(4)}: ranges leave out that it is uncertain.`;
    element("cut").setAttribute("aria-valuetext",
        `${flagged} rows, precision ${fixed(measureAt(cut, "precision").value, 3)}, recall ${fixed(measureAt(cut, "recall").value, 3)}`);
}

/* ---- charts ---- */

function shareAxis(title) {
    return { from: 0, to: 1, title };
}

/* A line with its range, the truth if it is known, and where the threshold is. */
function drawBand(plot, xs, [values, lows, highs], truth, marker) {
    plot.area(xs, lows, xs, highs);
    plot.curve("smoothed", xs, values);
    if (truth) plot.curve("estimate truth", truth[0], truth[1]);
    plot.add("circle", { class: "marker", cx: plot.x(marker[0]), cy: plot.y(marker[1]), r: 7 });
}

function drawPrecisionRecall(current) {
    const axes = () => ({
        label: `Precision by recall; at the threshold ${measureAt(current(), "precision").value} and ${measureAt(current(), "recall").value}`,
        x: shareAxis("recall"),
        y: shareAxis("precision"),
    });
    return chart("precision-recall", axes, (plot) => {
        const { evaluation: { curve, truth }, place } = current();
        const recall = curve.recall[0];
        drawBand(plot, recall, curve.precision, truth && [truth.recall, truth.precision], [recall[place], curve.precision[0][place]]);
    });
}

/* The range is that of the share of negatives, so the band lies beside the line, not above and below it. */
function drawRoc(current) {
    const axes = () => ({
        label: `ROC; at the threshold ${measureAt(current(), "fall_out").value} of the negatives are flagged and ${measureAt(current(), "recall").value} of the positives`,
        x: shareAxis("share of negatives that are flagged"),
        y: shareAxis("recall"),
    });
    return chart("roc", axes, (plot) => {
        const { evaluation: { curve, truth }, place } = current();
        const [values, lows, highs] = curve.fall_out;
        const recall = curve.recall[0];
        plot.curve("zero", [0, 1], [0, 1]);
        plot.area(lows, recall, highs, recall);
        plot.curve("smoothed", values, recall);
        if (truth) plot.curve("estimate truth", truth.fall_out, truth.recall);
        plot.add("circle", { class: "marker", cx: plot.x(values[place]), cy: plot.y(recall[place]), r: 7 });
    });
}

/* Of few rows, lift is uncertain without bounds: the axis ends where all flagged rows are positive twice over. */
function drawLift(current) {
    const highest = () => Math.max(1.1, ...current().evaluation.curve.lift[2].map((high) => Math.min(high, 2 / current().evaluation.alpha)));
    const axes = () => ({
        label: `Lift by the share of rows flagged; at the threshold it is ${measureAt(current(), "lift").value}`,
        x: shareAxis("share of unlabeled rows that are flagged"),
        y: { from: 0, to: highest(), title: "lift" },
    });
    return chart("lift", axes, (plot) => {
        const { evaluation: { curve, truth }, place } = current();
        const flagged = curve.rows.map((rows) => rows / total);
        plot.horizontal("zero", 1);
        drawBand(plot, flagged, curve.lift, truth && [flagged, truth.lift], [flagged[place], curve.lift[0][place]]);
    });
}

function drawCalibration(current) {
    const axes = () => ({
        label: "Share of positives by labeled rows, by mean posterior, in bins of scores",
        x: shareAxis("mean posterior"),
        y: shareAxis("share, by labeled rows"),
    });
    return chart("calibration", axes, (plot) => {
        const { evaluation: { bins, curve }, place } = current();
        const [posterior, share, low, high] = [0, 1, 2, 3].map((k) => bins.map((bin) => bin[k]));
        plot.curve("zero", [0, 1], [0, 1]);
        plot.area(posterior, low, posterior, high);
        plot.curve("smoothed", posterior, share);
        bins.forEach((_, b) => plot.add("circle", { class: "reference", cx: plot.x(posterior[b]), cy: plot.y(share[b]), r: 4 }));
        plot.vertical("threshold", curve.posterior[place]);
    });
}

/* ---- controls ---- */

/* Where a curve flags about as many rows. */
function placeOfRows(curve, rows) {
    const distance = curve.rows.map((n) => Math.abs(n - rows));
    return distance.indexOf(Math.min(...distance));
}

function showEvaluations() {
    const slider = element("cut");
    const choices = [...document.querySelectorAll("input[name=suppose]")];
    const estimate = evaluations[data.evaluations.estimate];
    const start = estimate.threshold ?? 0; /* none, if it flags no row */
    let cut = { evaluation: estimate, place: start };
    const current = () => cut;
    const charts = [drawPrecisionRecall(current), drawRoc(current), drawLift(current), drawCalibration(current)];
    const show = (evaluation, place) => {
        cut = { evaluation, place };
        slider.max = evaluation.curve.rows.length - 1;
        slider.value = place;
        showCut(cut);
        charts.forEach((redraw) => redraw());
    };
    const reset = () => {
        choices.forEach((choice, i) => { choice.checked = i === data.evaluations.estimate; });
        show(estimate, start);
    };
    slider.addEventListener("input", () => show(cut.evaluation, slider.valueAsNumber));
    choices.forEach((choice, i) =>
        choice.addEventListener("change", () => show(evaluations[i], placeOfRows(evaluations[i].curve, cut.evaluation.curve.rows[cut.place]))));
    element("cut-reset").addEventListener("click", reset);
    reset();
}

showEvaluations();
