import type { DeleteResult } from 'kysely'

const portion = 1000

/**
 * Deletes with as many statements as it takes: none of them holds locks for long or runs into a statement timeout,
 * however much has gathered.
 *
 * @returns how many rows were deleted
 */
export async function deleteInPortions(
  deleteSome: (limit: number) => Promise<DeleteResult>,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = Number((await deleteSome(portion)).numDeletedRows)
    total += deleted
    if (deleted < portion) return total
  }
}
