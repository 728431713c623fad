/**
 * The number of random examples of a test: `usual` in `npm test`, and ten times as many in `--mode deep` (`.ci/long`), or
 * EXAMPLES times as many.
 */
export const examples = (usual: number): number => Math.ceil(usual * Number(process.env.EXAMPLES ?? 1))
