//! People, headings, dates, whole values, filters.

use super::*;

#[test]
fn people() {
    all(&[
        ("meyer[au]", &[0, 1]),
        ("meyer k[au]", &[0, 1]),
        ("meyer ks[au]", &[0]),
        ("Meyer, K. S.[au]", &[0]),
        ("\"meyer k\"[au]", &[1]),
        ("meyer karin[au]", &[0]),
        ("karin[au]", &[]),
        ("karin sofie meyer[fau]", &[0]),
        ("meyer[1au]", &[0]),
        ("meyer[lastau]", &[1]),
        ("özgür-smith j[au]", &[1]),
        ("mey*[au]", &[0, 1]),
        ("me*[au]", &[0, 1]),
        ("meyer k*[au]", &[0, 1]),
        ("meyer ks*[au]", &[0]),
        ("noack ilse m p[fau]", &[2]),
        ("ilse m p noack[fau]", &[2]),
        ("noack ilse m*[fau]", &[2]),
        ("\"noack ilse m p\"[au]", &[2]),
        ("noack imp[au]", &[2]),
        ("noack i m p[au]", &[2]),
        ("bauer[ir]", &[2]),
        ("bauer[au]", &[]),
        ("0000-0001-2345-6789[auid]", &[0]),
        ("meyer ks asthma", &[0]),
    ]);
}

#[test]
fn headings_alone_and_with_mesh() {
    all(&[
        ("asthma[mh]", &[0]),
        ("asthma[majr]", &[0]),
        ("humans[mh]", &[0]),
        ("humans[majr]", &[]),
        ("asthma/drug therapy[mh]", &[0]),
        ("asthma/drug therapy[majr]", &[0]),
        ("asthma/mortality[mh]", &[]),
        ("drug therapy[sh]", &[0, 1]),
        ("dt[sh]", &[0, 1]),
        ("therapy[sh]", &[0, 1]),
        ("therapy[sh:noexp]", &[]),
        ("dt[sh:noexp]", &[0, 1]),
        ("asthma/dt[mh]", &[0]),
        ("asthma/dt[majr]", &[0]),
        ("asthma/therapy[mh]", &[0]),
        ("asthma/therapy[mh:noexp]", &[]),
        ("asthma/th[majr]", &[0]),
        ("asthma/th[majr:noexp]", &[]),
        ("status asthmaticus/th[mh]", &[1]),
        ("status asthmaticus/th[majr]", &[]),
        ("D001249[mh]", &[0]),
        ("humans[filter]", &[0]),
    ]);
    let table = crate::mesh::tests::small();
    for (query, expected) in [
        ("asthma[mh]", &[0, 1][..]),
        ("asthma[mh:noexp]", &[0]),
        ("bronchial asthma[mh]", &[0, 1]),
        ("respiratory tract diseases[mh]", &[0, 1]),
        ("respiratory tract diseases[mh:noexp]", &[]),
        ("asthma/drug therapy[mh]", &[0, 1]),
        ("bronchial asthma/th[mh]", &[0, 1]),
        ("asthma/dt[mh:noexp]", &[0]),
        ("respiratory tract diseases/th[majr]", &[0]),
        ("respiratory tract diseases[majr]", &[0]),
        ("bronchial asthma", &[0, 1]),
        ("acetylsalicylic acid", &[]),
    ] {
        assert_eq!(keys(&select(query, Some(&table))), expected, "{query}");
    }
    let unexploded = select("asthma[mh]", None).warnings;
    assert!(unexploded[0].contains("no MeSH table"), "{unexploded:?}");
    let misspelt = select("astma[mh:noexp]", None).warnings;
    assert!(
        misspelt[1].contains("did you mean `asthma`?"),
        "{misspelt:?}"
    );
}

#[test]
fn dates() {
    all(&[
        ("2019[dp]", &[0, 1]),
        ("2021[dp]", &[]),
        ("2019/03[dp]", &[0]),
        ("2019/03/04[dp]", &[0]),
        ("2019/03/05[dp]", &[]),
        ("2018:2020[dp]", &[0, 1]),
        ("\"2019/03/05\"[dp] : \"3000\"[dp]", &[1]),
        // The electronic edition came before the printed one.
        ("2019/12[dp]", &[1]),
        ("2019/12[epdat]", &[1]),
        ("2020[ppdat]", &[1]),
        ("1998/12[dp]", &[2]),
        ("2021/02/01[edat]", &[0]),
        ("2021/01[crdt]", &[0]),
        ("2022[mhda]", &[0]),
        ("2023[lr]", &[0]),
        ("2022/06[dcom]", &[0]),
        // The day of these searches is 2023/06/30.
        ("\"last 4 years\"[dp]", &[1]),
        ("\"last 5 years\"[dp]", &[0, 1]),
        ("last 12 months[lr]", &[0]),
        ("\"last 60 days\"[lr]", &[]),
    ]);
}

#[test]
fn whole_values() {
    all(&[
        ("review[pt]", &[2]),
        ("english[la]", &[0, 1]),
        ("ger[la]", &[2]),
        ("J Biol Chem[ta]", &[0]),
        ("1083-351X[ta]", &[0]),
        ("2985121R[jid]", &[0]),
        ("12[vi] AND 3[ip] AND 101-9[pg]", &[0]),
        ("united states[pl]", &[0]),
        ("NCT00000123[si]", &[1]),
        ("ClinicalTrials.gov[si]", &[1]),
        ("ClinicalTrials.gov/NCT00000123[si]", &[1]),
        ("albuterol[nm]", &[1]),
        ("QF8SVZ843E[rn]", &[1]),
        ("HL012345[gr]", &[1]),
        ("NHLBI NIH HHS[gr]", &[1]),
        ("1[pmid]", &[0]),
        ("1 3[pmid]", &[0, 2]),
        ("10.1000/gout(1)x[doi]", &[2]),
        ("10.1000/gout(1)x[lid]", &[2]),
        ("PMC77[pmc]", &[2]),
        ("NLM[owner]", &[0]),
    ]);
}

#[test]
fn filters_and_subsets() {
    all(&[
        ("hasabstract", &[0, 1, 2]),
        ("medline[sb]", &[0]),
        ("publisher[sb]", &[1]),
        ("jsubsetaim[sb]", &[0]),
        ("free full text[sb]", &[2]),
        ("english[filter]", &[0, 1]),
        ("review[filter]", &[2]),
        ("systematic[sb]", &[]),
    ]);
    let error = snapshot()
        .select(
            &parse("toxic[sb]", Limits::default()).unwrap(),
            setting(None),
        )
        .unwrap_err();
    assert!(error.to_string().contains("left out"), "{error}");
}
