/**
 * Does work for all, so many at the same time. After a problem nothing more begins, and what has begun ends first, so
 * that nothing goes on beside the next try.
 */
export async function inParallel<Given, Done>(
  all: readonly Given[],
  atOnce: number,
  work: (one: Given) => Promise<Done>,
): Promise<{ done: Done[]; problems: unknown[] }> {
  const done: Done[] = []
  const problems: unknown[] = []
  let next = 0
  const goOn = async () => {
    while (problems.length === 0 && next < all.length) {
      const one = all[next] as Given
      next += 1
      await work(one).then(
        (result) => void done.push(result),
        (problem: unknown) => void problems.push(problem),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, goOn))
  return { done, problems }
}
