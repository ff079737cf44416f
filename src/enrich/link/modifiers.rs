//! Words before a name that say more than the vocabulary knows.

/// A name without what stands before it and only narrows it down: `severe`,
/// `levodopa-induced`. None where nothing of that kind is there.
///
/// Only what leaves the concept a broader one of the same is taken away.
pub(super) fn without_modifiers(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut from = 0;
    while from + 1 < words.len() && modifies(words[from]) {
        from += 1;
    }
    // `amphotericin B-induced nephrotoxicity`: what comes before the word that
    // ends so is its cause.
    let cause = words[from..words.len().saturating_sub(1)]
        .iter()
        .rposition(|word| is_cause(word));
    if let Some(place) = cause {
        from += place + 1;
        while from + 1 < words.len() && modifies(words[from]) {
            from += 1;
        }
    }
    (from > 0).then(|| words[from..].join(" "))
}

fn is_cause(word: &str) -> bool {
    let word = word.to_lowercase();
    [
        "induced",
        "associated",
        "related",
        "treated",
        "dependent",
        "resistant",
        "mediated",
        "evoked",
        "like",
    ]
    .iter()
    .any(|end| {
        word.strip_suffix(end)
            .is_some_and(|rest| rest.ends_with('-'))
    }) || matches!(word.as_str(), "induced")
}

fn modifies(word: &str) -> bool {
    matches!(
        word.to_lowercase().as_str(),
        "acute"
            | "chronic"
            | "severe"
            | "mild"
            | "moderate"
            | "transient"
            | "persistent"
            | "recurrent"
            | "progressive"
            | "reversible"
            | "irreversible"
            | "fatal"
            | "sudden"
            | "early"
            | "late"
            | "primary"
            | "secondary"
            | "idiopathic"
            | "sporadic"
            | "symptomatic"
            | "asymptomatic"
            | "bilateral"
            | "unilateral"
            | "left"
            | "right"
            | "diffuse"
            | "focal"
            | "generalized"
            | "generalised"
            | "massive"
            | "marked"
            | "advanced"
            | "metastatic"
            | "malignant"
            | "benign"
            | "postoperative"
            | "spontaneous"
            | "experimental"
            | "hereditary"
            | "familial"
            | "inherited"
            | "congenital"
            | "common"
            | "human"
            | "adult"
            | "juvenile"
            | "childhood"
            | "refractory"
            | "intractable"
            | "paroxysmal"
            | "intermittent"
            | "isolated"
    )
}
