"""Plots how many articles of each year a search finds: pip install matplotlib

    python publications_per_year.py http://127.0.0.1:8080 'asthma[mh]' asthma.png

The cells are those of a notebook: `# %%` begins one.
"""

# %% What is asked
import json
import sys
import urllib.parse
import urllib.request

import matplotlib

matplotlib.use("Agg")  # no window
import matplotlib.pyplot as plt

server, query, output = sys.argv[1:4]

# %% Counts over everything that matches: mode keyword, no hits needed but one
parameters = {"q": query, "mode": "keyword", "facets": "year", "limit": 1}
address = f"{server}/v1/search?{urllib.parse.urlencode(parameters)}"
with urllib.request.urlopen(address) as response:
    facets = json.load(response)["facets"]
counts = {one["year"]: one["articles"] for one in facets["year"]}

# %% Years without articles are part of the picture
years = list(range(min(counts), max(counts) + 1)) if counts else []
articles = [counts.get(year, 0) for year in years]

# %% The plot
figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
axes.bar(years, articles, width=0.9)
axes.set_title(f"{facets['articles']} articles for {query}")
axes.set_ylabel("articles")
axes.yaxis.get_major_locator().set_params(integer=True)
figure.savefig(output, dpi=150)

# %% The same in numbers
for year, count in zip(years, articles):
    print(f"{year}\t{count}")
