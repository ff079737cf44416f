"""Texts of the fifty steps, made up for it."""

TEXTS = [
    "Statins and muscle pain.",
    "Myopathy under statin therapy was seen in patients with muscle weakness.",
    "IL-2 and TNF-α in CD4+ T cells (p < 0.001).",
    "Expression of interleukin receptors on cells after stimulation with cytokines.",
    "The p53 tumour suppressor binds DNA.",
    "Effects of c.248T>C on 5-HT2A receptors were measured in 1,204 patients.",
    "Randomised trials of treatment effects measured receptors, proteins and genes.",
    "Patients with SARS-CoV-2 were followed for 12.5 years.",
    "Pain",
    "The earlier cohort had been followed for two decades.",
    "Cells of naïve patients were compared with those of the treated.",
    "Does the therapy help patients with pain?",
    "Genes and proteins of the tumour.",
    "Muscle cells express the receptor after treatment.",
    "A trial of statins in 412 patients.",
    "Cytokines, receptors, and the cells that carry them.",
    "Treatment was stopped in patients with muscle pain and weakness, and was begun again "
    "in those of the earlier cohort, which had been followed for two decades with measured effects.",
    "β-catenin in the tumour.",
    "Stimulation with cytokines had no effect on the expression of genes.",
    "Weakness was seen after therapy.",
    "The receptor binds serotonin.",
    "DNA binding of the suppressor was measured.",
    "Two decades of statin treatment: effects on muscle.",
    "Was the effect seen in both cohorts?",
]
