WITH dedpul_rows AS {materialized} (
  SELECT label, score, weight, ln(inside / (1 - inside)) AS logit
  FROM (
    SELECT label, score, weight,
      CASE WHEN NOT (score > 0 AND score < 1 AND weight >= 0 AND weight <= 1e300) THEN NULL
           WHEN score < 1e-12 THEN 1e-12
           WHEN score > 0.999999999999 THEN 0.999999999999
           ELSE score END AS inside
    FROM (
      SELECT CAST({label} AS text) AS label, {score} AS score, {weight} AS weight
      FROM (
{query}
      ) AS dedpul_source
    ) AS dedpul_columns
  ) AS dedpul_inside
),
dedpul_spread AS (
  SELECT sum(n) AS n, min(deviation) AS deviation, max(high) - min(low) AS logits
  FROM (
    SELECT count(*) AS n, min(logit) AS low, max(logit) AS high,
      NULLIF(sqrt(abs(sum(weight * logit * logit) / NULLIF(sum(CASE WHEN logit IS NULL THEN 0 ELSE weight END), 0)
        - power(sum(weight * logit) / NULLIF(sum(CASE WHEN logit IS NULL THEN 0 ELSE weight END), 0), 2))), 0) AS deviation
    FROM dedpul_rows GROUP BY label
  ) AS dedpul_labels
),
dedpul_grid AS (
  SELECT n, COALESCE(power(2, floor(ln(width) / 0.6931471805599453)), 1) AS width
  FROM (
    SELECT n, NULLIF(CASE WHEN deviation / 16384 > logits / 262144 THEN deviation / 16384 ELSE logits / 262144 END, 0) AS width
    FROM dedpul_spread
  ) AS dedpul_finest
),
dedpul_bins AS (
  SELECT label, cell, min(score) AS low, max(score) AS high, sum(score * weight) AS total,
    CASE WHEN cell = 3e300 THEN min(weight) ELSE sum(weight) END AS n{squares}
  FROM (
    SELECT label, score, weight,
      CASE WHEN score IS NULL THEN NULL
           WHEN weight IS NULL OR weight < 0 OR weight > 1e300 THEN 3e300
           WHEN score < 0 THEN -2e300
           WHEN score > 1 THEN 2e300
           WHEN n <= 10000 THEN score
           WHEN score = 0 THEN -1e300
           WHEN score = 1 THEN 1e300
           ELSE floor(logit / width) END AS cell
    FROM dedpul_rows CROSS JOIN dedpul_grid
  ) AS dedpul_cells
  GROUP BY label, cell
)
SELECT label, CASE WHEN mean < low THEN low WHEN mean > high THEN high ELSE COALESCE(mean, low) END AS score, n{same_squares}
FROM (
  SELECT label, n{same_squares}, min(low) OVER bin AS low, max(high) OVER bin AS high,
    sum(total) OVER bin / NULLIF(sum(n) OVER bin, 0) AS mean
  FROM dedpul_bins WINDOW bin AS (PARTITION BY cell)
) AS dedpul_means
ORDER BY score, label
