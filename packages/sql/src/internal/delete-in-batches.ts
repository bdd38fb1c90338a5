import type { DeleteResult } from 'kysely'

const batchSize = 1000

/**
 * Deletes rows in batches, so that no statement holds locks for long or reaches the statement timeout.
 *
 * @returns how many rows were deleted
 */
export async function deleteInBatches(deleteSome: (limit: number) => Promise<DeleteResult>): Promise<number> {
  for (let total = 0; ;) {
    const deleted = Number((await deleteSome(batchSize)).numDeletedRows)
    total += deleted
    if (deleted < batchSize) return total
  }
}
