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
    alpha, rows = number("alpha"), 2198
    check("there are four charts", len(browser.find_elements(By.CSS_SELECTOR, ".plot svg")) == 4)
    check("it starts at the estimate", number("at-alpha") == alpha)
    check("posteriors are those of the estimate", number("at-above") == count_above("posteriors.csv", 0.5))
    check("all rows are in the histogram", sum(histogram()) == rows)
    check("their mean is alpha", abs(number("at-mean") - alpha) < 1e-4)
    threshold.clear()
    threshold.send_keys("0.9")
    check("they are means over alpha's distribution", number("at-above") == count_above("posteriors.csv", 0.9) != count_above("plain.csv", 0.9))
    check("the chart tells which are 1", "; plain posteriors are 1 from" in browser.find_element(By.CSS_SELECTOR, "#ratio svg").get_attribute("aria-label"))
    browser.find_element(By.ID, "reset").click()
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


def look_at_names():
    open_page("fit")
    check("the column is text", "<script>alert(1)</script>" in text("columns"))
    check("the file is text", 'it\'s "so" & <b>.csv' in browser.find_element(By.CSS_SELECTOR, "header code").text)
    check("so it is in the title", 'it\'s "so" & <b>.csv' in browser.title)
    check("for a shell, too", "'it'\\''s \"so\" & <b>.csv'" in text("command"))
    check("no script but ours", browser.execute_script("return document.scripts.length") == 2)


def look_at_others():
    for name in ["given", "other", "weighted"]:
        open_page(name)
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
    for name in ["scores", "fit", "compare", "classifiers"]:
        open_page(name, 390)


def look_at_colours():
    open_page("scores")
    colours = {}
    for scheme, medium in [("light", ""), ("dark", ""), ("dark", "print")]:
        set_media(scheme, medium)
        colours[scheme + medium] = [style("body", "backgroundColor"), style("body", "color"), style("svg .d", "stroke")]
    set_media("light")
    check("dark is another", all(a != b for a, b in zip(colours["light"], colours["dark"])))
    check("paper is light", colours["darkprint"] == colours["light"])


def look_without_script():
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get((DIRECTORY / "scores.html").as_uri())
    check("alpha without a script", number("alpha") > 0)
    check("the table without a script", len(browser.find_elements(By.CSS_SELECTOR, "#top tbody tr")) == 50)
    check("no empty charts", not browser.find_element(By.ID, "curve").is_displayed())
    check("no dead slider", not browser.find_element(By.ID, "slider").is_displayed())


browser = start_browser()
try:
    set_media("light")
    look_at_controls()
    look_at_names()
    look_at_others()
    look_at_colours()
    look_without_script()
finally:
    browser.quit()
print(f"{checks} things looked at")
