//! The forms that PubMed's help shows, section by section
//! (<https://pubmed.ncbi.nlm.nih.gov/help/>): each is read, and printed so that
//! it is read as the same again.

use super::*;

/// Section of the help, query, how it is read.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("Searching by author", "watson jd", "watson jd"),
    (
        "Searching by author",
        "garcia-algar o[au]",
        "garcia-algar o[Author]",
    ),
    (
        "Searching by author",
        "\"smith j\"[au]",
        "\"smith j\"[Author]",
    ),
    (
        "Searching by author",
        "o'brien pl[lastau]",
        "o'brien pl[Author - Last]",
    ),
    (
        "Searching by author",
        "ross joshua[fau]",
        "ross joshua[Author - Full]",
    ),
    (
        "Searching by author",
        "julia s wong[Full Author Name]",
        "julia s wong[Author - Full]",
    ),
    (
        "Searching by author",
        "de la cruz m[1au]",
        "de la cruz m[Author - First]",
    ),
    (
        "Searching by author",
        "0000-0001-5027-4446 [auid]",
        "0000-0001-5027-4446[Author - Identifier]",
    ),
    (
        "Searching by journal",
        "gene therapy[ta]",
        "gene therapy[Journal]",
    ),
    (
        "Searching by journal",
        "1059-1524[ta]",
        "1059-1524[Journal]",
    ),
    (
        "Searching by journal",
        "\"mol biol cell\"[jour]",
        "\"mol biol cell\"[Journal]",
    ),
    (
        "Searching by date",
        "2020/06/01[dp]",
        "2020/06/01[Date - Publication]",
    ),
    (
        "Searching by date",
        "heart disease AND 2008/1:2008/3[crdt]",
        "heart disease AND 2008/01:2008/03[Date - Create]",
    ),
    (
        "Searching by date",
        "(\"2015/3/1\"[Date - Publication] : \"3000\"[Date - Publication])",
        "2015/03/01:3000[Date - Publication]",
    ),
    (
        "Searching by date",
        "\"last 60 days\"[edat]",
        "\"last 60 days\"[Date - Entry]",
    ),
    (
        "Searching by date",
        "\"last 5 years\"[dp] AND gout",
        "\"last 5 years\"[Date - Publication] AND gout",
    ),
    (
        "Searching in specific fields",
        "alzheimer[ti]",
        "alzheimer[Title]",
    ),
    (
        "Searching in specific fields",
        "crush syndrome AND jones [au] AND 2009[dp]",
        "crush syndrome AND jones[Author] AND 2009[Date - Publication]",
    ),
    (
        "Searching for a phrase",
        "\"kidney allograft\"",
        "\"kidney allograft\"",
    ),
    (
        "Searching for a phrase",
        "kidney allograft[tiab]",
        "kidney allograft[Title/Abstract]",
    ),
    ("Searching for a phrase", "first-line", "first-line"),
    ("Truncating search terms", "flavor*", "flavor*"),
    (
        "Truncating search terms",
        "\"breast feed*\"",
        "\"breast feed*\"",
    ),
    (
        "Truncating search terms",
        "breast-feed*[tiab]",
        "breast-feed*[Title/Abstract]",
    ),
    (
        "Proximity searching",
        "\"hip pain\"[Title:~2]",
        "\"hip pain\"[Title:~2]",
    ),
    (
        "Proximity searching",
        "\"rationing healthcare\"[tiab:~0]",
        "\"rationing healthcare\"[Title/Abstract:~0]",
    ),
    (
        "Proximity searching",
        "\"toronto hospital\"[ad:~3]",
        "\"toronto hospital\"[Affiliation:~3]",
    ),
    (
        "Combining with Boolean operators",
        "salmonella AND (hamburger OR eggs)",
        "salmonella AND (hamburger OR eggs)",
    ),
    (
        "Combining with Boolean operators",
        "common cold AND vitamin c OR zinc",
        "(common cold AND vitamin c) OR zinc",
    ),
    (
        "Combining with Boolean operators",
        "arthritis NOT letter[pt]",
        "arthritis NOT letter[Publication Type]",
    ),
    (
        "MeSH terms",
        "neoplasms/diet therapy[mh]",
        "\"neoplasms/diet therapy\"[MeSH Terms]",
    ),
    (
        "MeSH terms",
        "neoplasms/dh [mh]",
        "\"neoplasms/dh\"[MeSH Terms]",
    ),
    (
        "MeSH terms",
        "plants/genetics[mh:noexp]",
        "\"plants/genetics\"[MeSH Terms:noexp]",
    ),
    (
        "MeSH subheadings",
        "hypertension[mh] AND toxicity[sh]",
        "\"hypertension\"[MeSH Terms] AND toxicity[MeSH Subheading]",
    ),
    (
        "MeSH subheadings",
        "therapy[sh:noexp]",
        "therapy[MeSH Subheading:noexp]",
    ),
    (
        "MeSH major topic",
        "\"Contact Lenses\"[majr:noexp]",
        "\"Contact Lenses\"[MeSH Major Topic:noexp]",
    ),
    (
        "Publication types",
        "review[pt]",
        "review[Publication Type]",
    ),
    (
        "Affiliation",
        "cleveland[ad] AND clinic[ad]",
        "cleveland[Affiliation] AND clinic[Affiliation]",
    ),
    (
        "Grants and funding",
        "NLM NIH HHS[gr]",
        "NLM NIH HHS[Grants and Funding]",
    ),
    (
        "Secondary source ID",
        "genbank/AF001892[si]",
        "genbank/AF001892[Secondary Source ID]",
    ),
    (
        "EC/RN number",
        "EC 2.4.2.30[rn]",
        "EC 2.4.2.30[EC/RN Number]",
    ),
    ("Corporate author", "ncbi[cn]", "ncbi[Author - Corporate]"),
    ("Language", "chi[la]", "chi[Language]"),
    ("PMID", "7170002 16381840[uid]", "7170002 16381840[PMID]"),
    (
        "Location ID",
        "10.1016/j.arth.2006.04.014[lid]",
        "10.1016/j.arth.2006.04.014[Location ID]",
    ),
    (
        "Volume, issue, pages",
        "17[vi] AND 3[ip] AND 150[pg]",
        "17[Volume] AND 3[Issue] AND 150[Pagination]",
    ),
    (
        "Filters",
        "cancer AND hasabstract",
        "cancer AND \"hasabstract\"[Filter]",
    ),
    (
        "Filters",
        "humans[filter] AND english[la]",
        "\"humans\"[Filter] AND english[Language]",
    ),
    (
        "Subsets",
        "free full text[sb] AND neoplasms",
        "\"free full text\"[Filter] AND neoplasms",
    ),
    (
        "Subsets",
        "systematic[sb] AND asthma",
        "\"systematic\"[Filter] AND asthma",
    ),
    ("Status", "medline[sb]", "\"medline\"[Filter]"),
];

#[test]
fn the_forms_of_the_help_page_are_read() {
    for (section, query, reading) in EXAMPLES {
        let printed = written(query);
        assert_eq!(printed, *reading, "{section}: {query}");
        assert_eq!(read(&printed), read(query), "{section}: {query}");
    }
}
