/** Small, so that a batch delays no request. */
const defaultSize = 1_000

/** Runs a statement that deletes at most `limit` rows, until it finds no more. Returns how many were deleted. */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  limit = defaultSize,
): Promise<number> {
  let total = 0
  for (;;) {
    const count = await deleteBatch(limit)
    total += count
    if (count < limit) return total
  }
}
