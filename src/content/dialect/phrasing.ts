/** Elements that stand within a line. */
export const PHRASING = new Set(
  (
    'a abbr audio b bdi bdo br button cite code data del dfn em i img input ins kbd label mark math meter output ' +
    'picture progress q ruby rt rp s samp select small source span strong sub sup svg textarea time tt u var video wbr'
  ).split(' '),
)
