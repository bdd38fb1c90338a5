import type { Repository } from '../database/repository.ts'
import type { StoredRow } from '../database/tables.ts'
import { getChanges, readOnlyProblems, requireChangeable } from './changes.ts'
import type { ItemOptions } from './item.ts'

export interface OwnedRowsOptions<Params, Row extends StoredRow> {
  /** Converts the parameters of the path to the columns of the row. */
  readonly toKey: (params: Params) => Partial<Row>
  /** Returns the id of the user who may change the row, like admins. */
  readonly getOwner: (row: Row) => string
  /** The columns that requests cannot change, in addition to those of every row. */
  readonly readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
}

/** Creates the handlers of the routes of a resource whose rows are changed by their owner and by admins. */
export function ownedRows<
  Params extends object,
  Row extends StoredRow,
  Changes extends { readonly [Name in keyof Row]?: Row[Name] | undefined },
>(
  rows: Repository<Row>,
  { toKey, getOwner, readOnly }: OwnedRowsOptions<Params, Row>,
): Pick<ItemOptions<Params, Changes, Row, unknown>, 'get' | 'review' | 'change' | 'remove'> {
  return {
    get: (params) => rows.get(toKey(params)),
    review: async (params, fields) => readOnlyProblems(await rows.find(toKey(params)), fields, ...readOnly),
    change: (params, body, context) =>
      rows.change(toKey(params), (row) => {
        requireChangeable(context, row, getOwner(row))
        return getChanges(row, body, ...readOnly)
      }),
    remove: (params, context) =>
      rows.remove(toKey(params), (row) => {
        requireChangeable(context, row, getOwner(row))
      }),
  }
}
