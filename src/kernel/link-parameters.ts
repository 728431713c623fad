/**
 * Parameters with which other services name a link. The tracking script sends their values, and the service uses those
 * that the program lists. Further ones have to be in the script's tag.
 */
export const knownLinkParameters = ['fpr', 'via_id', 'ref', 'aff', 'affiliate', 'partner', 'a', 'p', 'r']
