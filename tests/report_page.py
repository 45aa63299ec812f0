"""Looks at the pages that tests/cli/report.sh has made, in headless Chromium: report_page.py DIRECTORY."""
import csv
import json
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

DIRECTORY = pathlib.Path(sys.argv[1])
checks = 0


def check(what, is_so):
    global checks
    checks += 1
    if not is_so:
        sys.exit(f"FAILED: {what}")


def start_browser():
    options = Options()
    for argument in ["headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", f"user-data-dir={DIRECTORY}/browser"]:
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver", log_path=str(DIRECTORY / "driver.log")), options=options)


def set_width(width):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})


def set_media(scheme, medium=""):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})


def requests():
    """Addresses that were asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


def text(name):
    return browser.find_element(By.ID, name).text


def number(name):
    return float(text(name).replace("about ", "").replace("\u2212", "-").split()[0])


def style(selector, name):
    return browser.execute_script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)


def histogram():
    return [int(bar.get_attribute("data-rows")) for bar in browser.find_elements(By.CSS_SELECTOR, "#histogram .bar")]


def count_above(file, threshold):
    with open(DIRECTORY / file) as rows:
        return sum(float(row["posterior"]) > threshold for row in csv.DictReader(rows))


def check_numbers(where):
    html = browser.find_element(By.TAG_NAME, "main").get_attribute("innerHTML")
    check(f"{where}: all numbers are numbers", not any(word in html for word in ["NaN", "Infinity", "undefined"]))


def load_time():
    return browser.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd")


def open_page(name, width=1200):
    """Alone, in time, and without a complaint."""
    set_width(width)
    requests()
    address = (DIRECTORY / f"{name}.html").as_uri()
    browser.get(address)
    check(f"{name} asks for nothing but itself", requests() == [address])
    check(f"{name}: nothing in the console", browser.get_log("browser") == [])
    milliseconds = load_time()
    for _ in range(3):  # other tests run beside this one
        if milliseconds >= 1000:
            browser.get(address)
            milliseconds = load_time()
    check(f"{name} is there within a second, not {milliseconds} ms", 0 < milliseconds < 1000)
    shift = browser.execute_async_script("""
        const done = arguments[0]; let sum = 0;
        new PerformanceObserver(list => list.getEntries().forEach(entry => sum += entry.value)).observe({type: "layout-shift", buffered: true});
        setTimeout(() => done(sum), 200);""")
    check(f"{name}: nothing jumps, not by {shift}", shift < 0.01)
    overflow = browser.execute_script("return document.documentElement.scrollWidth")
    check(f"{name} fits {width} pixels, not {overflow}", overflow <= width)
    for plot in browser.find_elements(By.CSS_SELECTOR, ".plot"):
        svg = plot.find_element(By.TAG_NAME, "svg")
        check(f"{name}: the chart has a label", svg.get_attribute("aria-label"))
    check_numbers(name)


def look_at_controls():
    open_page("scores")
    slider, threshold = (browser.find_element(By.ID, name) for name in ["slider", "threshold"])
    alpha, rows = browser.execute_script("return Math.round(data.alpha * 10000) / 10000"), 2198
    check("alpha is as precise as its interval", number("alpha") == round(alpha, 2))
    check("there are eight charts", len(browser.find_elements(By.CSS_SELECTOR, ".plot svg")) == 8)
    check("it starts at the estimate", number("at-alpha") == alpha)
    check("posteriors are those of the estimate", number("at-above") == count_above("posteriors.csv", 0.5))
    check("all rows are in the histogram", sum(histogram()) == rows)
    check("their mean is alpha", abs(number("at-mean") - alpha) < 1e-4)
    threshold.clear()
    threshold.send_keys("0.9")
    check("they are means over alpha's distribution", number("at-above") == count_above("posteriors.csv", 0.9) != count_above("plain.csv", 0.9))
    check("the chart tells which are 1", "; plain posteriors are 1 from" in browser.find_element(By.CSS_SELECTOR, "#ratio svg").get_attribute("aria-label"))
    browser.find_element(By.ID, "reset").click()
    largest, smallest = max(histogram()), min(filter(None, histogram()))
    ratio = heights()[histogram().index(smallest)] / max(heights())
    check("heights are square roots", abs(ratio - (smallest / largest) ** 0.5) < 0.01)
    marker = browser.find_element(By.CSS_SELECTOR, "#curve .marker").get_attribute("cx")

    slider.send_keys(Keys.HOME)
    check("Home is 0, where no row is positive", (number("at-alpha"), number("at-above"), number("at-mean")) == (0, 0, 0))
    check_numbers("at 0")
    slider.send_keys(Keys.ARROW_RIGHT)
    check("an arrow is one step", number("at-alpha") == 0.001)
    slider.send_keys(Keys.END)
    check("End is 1", number("at-alpha") == 1)
    check("the marker has moved", browser.find_element(By.CSS_SELECTOR, "#curve .marker").get_attribute("cx") > marker)

    browser.execute_script("arguments[0].value = 0.6; arguments[0].dispatchEvent(new Event('input'))", slider)
    check("the mean posterior is the alpha chosen", abs(number("at-mean") - 0.6) < 1e-3)
    check("posteriors are those of --alpha 0.6", number("at-above") == count_above("known.csv", 0.5))
    check("the note says so", text("at-note") == "Posteriors as with --alpha 0.600 --posterior plain.")
    check("all rows are still there", sum(histogram()) == rows)
    for limit in ["0.9", "0.05"]:
        threshold.clear()
        threshold.send_keys(limit)
        check(f"rows above {limit}", number("at-above") == count_above("known.csv", float(limit)))
    threshold.clear()
    check("without a threshold, the last one counts", number("at-above") == count_above("known.csv", 0.05))
    browser.find_element(By.ID, "reset").click()
    check("back at the estimate", (number("at-alpha"), number("at-above")) == (alpha, count_above("posteriors.csv", 0.5)))


def numbers(name):
    """The estimate, the ends of its range, and the truth if it is shown."""
    words = text(name).replace("in truth", "").replace("to", "").split()
    return [float(word) for word in words]


def curve(file):
    """The lines of a file of --curve, by how many rows they flag."""
    with open(DIRECTORY / file) as rows:
        return {float(line["rows"]): {name: float(value) for name, value in line.items()} for line in csv.DictReader(rows)}


def check_cut(where, line):
    """What is shown is what that line says."""
    check(f"{where}: the score", abs(number("cut-score") - line["score"]) < 1e-6)
    check(f"{where}: the posterior", abs(number("cut-posterior") - line["posterior"]) < 1e-4)
    check(f"{where}: rows", text("cut-rows").split() == [f"{line['rows']:.0f}", "of", "2198", f"{100 * line['flagged']:.1f}%"])
    for name in ["precision", "recall", "lift", "f1"]:
        expected = [line[name + end] for end in ["", "_low", "_high"]]
        near = [abs(a - b) < 6e-4 for a, b in zip(numbers("cut-" + name), expected)]
        check(f"{where}: {name} is {expected}, not {text('cut-' + name)}", len(near) == 3 and all(near))
    check_numbers(where)


def markers():
    charts = ["precision-recall", "roc", "lift"]
    return [browser.find_element(By.CSS_SELECTOR, f"#{chart} .marker").get_attribute("cx") for chart in charts]


def look_at_cuts():
    open_page("scores")
    lines = curve("curve.csv")
    slider = browser.find_element(By.ID, "cut")
    threshold = markers()
    table = text("measures")
    check("it starts at the threshold in force", f"{number('cut-rows'):.0f} of 2198 unlabeled rows have a score" in table)
    check_cut("threshold", lines[number("cut-rows")])
    for key in [Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.HOME, Keys.ARROW_RIGHT, Keys.PAGE_UP, Keys.PAGE_UP, Keys.END]:
        before = number("cut-rows")
        slider.send_keys(key)
        check("a key moves it", number("cut-rows") != before)
        check_cut("a key", lines[number("cut-rows")])
    check("End is all rows", number("cut-rows") == 2198 and numbers("cut-recall") == [1, 1, 1])
    check("the markers have moved", all(float(a) > float(b) for a, b in zip(markers(), threshold)))
    check("what is read aloud has moved, too", slider.get_attribute("aria-valuetext").startswith("2198 of 2198 rows, precision 0."))
    browser.find_element(By.ID, "cut-reset").click()
    check("back at the threshold", markers() == threshold and text("cut-note") == "The threshold of the table above.")

    rows, precision = number("cut-rows"), numbers("cut-precision")
    low, estimate, high = browser.find_elements(By.NAME, "suppose")
    check("the estimate is chosen", estimate.is_selected())
    estimate.send_keys(Keys.ARROW_LEFT)
    check("an arrow chooses the low end", low.is_selected())
    check("about as many rows stay flagged", abs(number("cut-rows") - rows) < 30)
    check("fewer are positive", numbers("cut-precision")[0] < precision[0])
    check("it says so", text("cut-note").startswith("As if alpha were known to be 0."))
    high.click()
    check("with more positives, more of them are", numbers("cut-precision")[0] > precision[0])
    browser.find_element(By.ID, "cut-reset").click()
    check("back at the estimate", estimate.is_selected() and numbers("cut-precision") == precision)


def look_at_ends():
    """Alpha at an end of its range is as if it had been given."""
    open_page("bootstrap")
    for end in [0, 2]:
        lines = curve(f"end{end}.csv")
        browser.find_elements(By.NAME, "suppose")[end].click()
        slider = browser.find_element(By.ID, "cut")
        for key in [Keys.HOME, Keys.PAGE_UP, Keys.PAGE_UP, Keys.PAGE_UP]:
            slider.send_keys(key)
            check_cut(f"end {end}", lines[number("cut-rows")])


def look_at_truth():
    open_page("truth")
    with open(DIRECTORY / "truth.csv") as file:
        rows = [(float(row["score"]), int(row["truth"])) for row in csv.DictReader(file) if row["label"] == "0"]
    slider = browser.find_element(By.ID, "cut")
    check("the truth is drawn", len(browser.find_elements(By.CSS_SELECTOR, "path.truth")) == 3)
    for key in [Keys.ARROW_LEFT, Keys.HOME, Keys.PAGE_UP]:
        slider.send_keys(key)
        threshold = number("cut-score") - 1e-9
        flagged = [is_positive for score, is_positive in rows if score >= threshold]
        check("rows are counted", len(flagged) == number("cut-rows"))
        check("the true precision is what one counts", abs(numbers("cut-precision")[3] - sum(flagged) / len(flagged)) < 6e-4)
        check("so is recall", abs(numbers("cut-recall")[3] - sum(flagged) / sum(y for _, y in rows)) < 6e-4)


def look_at_names():
    open_page("fit")
    check("the column is text", "<script>alert(1)</script>" in text("columns"))
    check("the file is text", 'it\'s "so" & <b>.csv' in browser.find_element(By.CSS_SELECTOR, "header code").text)
    check("so it is in the title", 'it\'s "so" & <b>.csv' in browser.title)
    check("for a shell, too", "'it'\\''s \"so\" & <b>.csv'" in text("command"))
    check("no script but ours", browser.execute_script("return document.scripts.length") == 2)


def heights():
    return [float(bar.get_attribute("height")) for bar in browser.find_elements(By.CSS_SELECTOR, "#histogram .bar")]


def look_at_others():
    for name in ["given", "other", "weighted", "networks"]:
        open_page(name)
    open_page("model")
    check("a model has the charts of its evaluation", len(browser.find_elements(By.CSS_SELECTOR, ".plot svg")) == 4)
    check("and alpha", 0.3 < number("alpha") < 0.7)
    open_page("new")
    open_page("shop")
    check("a threshold that flags no row has no place", "No unlabeled row is flagged" in text("measures") and text("cut-note") == "")
    open_page("all")
    check("no charts of what cannot be told", len(browser.find_elements(By.CSS_SELECTOR, ".plot svg")) == 4)
    open_page("other")
    label = browser.find_element(By.CSS_SELECTOR, "#ratio svg").get_attribute("aria-label")
    check("other methods have plain posteriors", "; posteriors are 1 from" in label)
    browser.find_element(By.ID, "slider").send_keys(Keys.ARROW_LEFT)
    check("and no other kind", text("at-note").startswith("Posteriors as with --alpha 0.") and "plain" not in text("at-note"))
    open_page("large")
    check("a summary has all rows", sum(histogram()) == 75000)
    check("and says that it is one", text("at-above").startswith("about"))
    browser.find_element(By.ID, "slider").send_keys(Keys.END)
    check("it moves, too", sum(histogram()) == 75000 and number("at-alpha") == 1)
    open_page("compare")
    check("a mark for each method", len(browser.find_elements(By.CSS_SELECTOR, "#methods circle, #methods rect.differs")) == 3)
    open_page("classifiers")
    check("a mark for each classifier", len(browser.find_elements(By.CSS_SELECTOR, "#methods circle, #methods rect.differs")) == 2)
    for name in ["scores", "fit", "truth", "compare", "classifiers"]:
        open_page(name, 390)


def look_at_colours():
    open_page("scores")
    colours = {}
    for scheme, medium in [("light", ""), ("dark", ""), ("dark", "print")]:
        set_media(scheme, medium)
        colours[scheme + medium] = [style("body", "backgroundColor"), style("body", "color"), style("svg .d", "stroke"), style("#roc .band", "fill")]
    set_media("light")
    check("dark is another", all(a != b for a, b in zip(colours["light"], colours["dark"])))
    check("paper is light", colours["darkprint"] == colours["light"])


def look_without_script():
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get((DIRECTORY / "scores.html").as_uri())
    check("alpha without a script", number("alpha") > 0)
    check("the table without a script", len(browser.find_elements(By.CSS_SELECTOR, "#top tbody tr")) == 50)
    check("no empty charts", not browser.find_element(By.ID, "curve").is_displayed())
    check("no dead slider", not any(browser.find_element(By.ID, name).is_displayed() for name in ["slider", "cut", "suppose"]))
    check("how good it is", "AUC" in text("measures") and "precision" in text("measures"))


browser = start_browser()
try:
    set_media("light")
    look_at_controls()
    look_at_cuts()
    look_at_ends()
    look_at_truth()
    look_at_names()
    look_at_others()
    look_at_colours()
    look_without_script()
finally:
    browser.quit()
print(f"{checks} things looked at")
