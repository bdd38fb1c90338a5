import { createTokenMissingError, requireOwner } from '@sallyport/auth'
import { SallyportError, type ErrorDetail } from '@sallyport/errors'
import { checkPreconditions, formatETag } from '@sallyport/rest'
import type { Repository } from '../rows/repository.ts'
import type { StoredRow } from '../rows/stored-row.ts'
import type { ItemOptions, ResourceContext } from './options.ts'

/**
 * Returns the caller of a route that is not public.
 *
 * @throws SallyportError 401 `TOKEN_MISSING` without a caller, which the access of the route prevents
 */
export function requireCaller<Caller>({ caller }: { readonly caller?: Caller }): Caller {
  if (caller === undefined) throw createTokenMissingError()
  return caller
}

/**
 * Requires that the caller is an owner or an admin.
 *
 * @throws SallyportError 403 `FORBIDDEN`
 */
export function requireOwnership(context: ResourceContext, ...owners: readonly (string | null)[]): void {
  const caller = requireCaller(context)
  requireOwner(caller, owners.find((owner) => owner === caller.sub) ?? null, { orRoles: ['admin'] })
}

/**
 * Requires that the caller may change a row and that the preconditions of the request hold.
 *
 * @throws SallyportError 403 `FORBIDDEN`; 412 `PRECONDITION_FAILED`
 */
export function requireChangeable(
  context: ResourceContext,
  row: StoredRow,
  ...owners: readonly (string | null)[]
): void {
  requireOwnership(context, ...owners)
  checkPreconditions({ ...context.conditions, etag: formatETag(row.version) })
}

/** The changes of a row by a body, and their problems. */
interface Comparison<Changes> {
  readonly changes: Changes
  /** A detail for each changed read-only field. */
  readonly problems: readonly ErrorDetail[]
}

/**
 * Compares a body with a row. Unchanged read-only fields are allowed, so that clients can send back a resource.
 * @param readOnly additional read-only fields
 */
function compare<Row extends StoredRow, Field extends keyof Row>(
  row: Row,
  body: { readonly [Name in Field]?: Row[Name] | undefined },
  ...readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
): Comparison<Partial<Pick<Row, Field>>> {
  const changed = (Object.keys(body) as Field[]).filter(
    (field) => body[field] !== undefined && body[field] !== row[field],
  )
  const changes = Object.fromEntries(changed.map((field) => [field, body[field]]))
  return {
    changes: changes as Partial<Pick<Row, Field>>,
    problems: readOnlyProblems(row, body, ...readOnly),
  }
}

/** Returns a detail for each changed read-only field; none without a row. */
export function readOnlyProblems<Row extends StoredRow>(
  row: Row | undefined,
  fields: object,
  ...readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
): readonly ErrorDetail[] {
  if (row === undefined) return []
  const values: { readonly [Name in keyof Row]?: unknown } = { ...fields }
  const fixed: readonly (keyof Row)[] = ['id', 'created_at', 'updated_at', ...readOnly]
  return fixed
    .filter((field) => values[field] !== undefined && values[field] !== row[field])
    .map((field) => ({
      code: 'READ_ONLY',
      field: String(field),
      in: 'body',
      message: 'Cannot be changed',
    }))
}

/**
 * Returns the changes of a row by a body.
 * @throws SallyportError 400 `VALIDATION_ERROR` with a detail for each changed read-only field
 */
export function getChanges<Row extends StoredRow, Field extends keyof Row>(
  row: Row,
  body: { readonly [Name in Field]?: Row[Name] | undefined },
  ...readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
): Partial<Pick<Row, Field>> {
  const { changes, problems } = compare(row, body, ...readOnly)
  requireNoProblems(problems)
  return changes
}

/** @throws SallyportError 400 `VALIDATION_ERROR` with all problems */
function requireNoProblems(problems: readonly ErrorDetail[]): void {
  if (problems.length === 0) return
  throw new SallyportError('VALIDATION_ERROR', 'The request is not valid', { details: problems })
}

/** The rules of changes, for resources whose routes are not those of `ownedRoutes`. */
export const rowRules = {
  compare,
  readOnlyProblems,
  requireChangeable,
  requireNoProblems,
  requireOwnership,
}

/** Creates the handlers of a resource whose rows are changed by their owner and by admins. */
export function ownedRows<
  Params extends object,
  Row extends StoredRow,
  Changes extends { readonly [Name in keyof Row]?: Row[Name] | undefined },
>(
  rows: Pick<Repository<Row, never>, 'get' | 'find' | 'change' | 'remove'>,
  {
    toKey,
    getOwner,
    readOnly,
  }: {
    /** Converts the parameters of the path to the columns of the row. */
    readonly toKey: (params: Params) => Partial<Row>
    /** Returns the id of the user who may change the row, like admins. */
    readonly getOwner: (row: Row) => string
    /** The columns that requests cannot change, in addition to those of every row. */
    readonly readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
  },
): Pick<ItemOptions<Params, Row, Changes>, 'get' | 'review' | 'change' | 'remove'> {
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
