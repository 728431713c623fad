/**
 * @template T
 * @param {import('pg').Pool} pool
 * @param {(client: import('pg').PoolClient) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withTransaction(pool, run) {
  // The embedded database brings its own.
  if ('transaction' in pool) return pool.transaction(run)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await run(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
