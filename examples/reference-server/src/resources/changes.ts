import { requireOwner } from '@sallyport/auth'
import { SallyportError, type ErrorDetail } from '@sallyport/errors'
import { checkPreconditions, formatETag } from '@sallyport/rest'
import type { StoredRow } from '../database/tables.ts'
import { callerOf, type RequestContext } from '../http/context.ts'
import { apiPath } from '../http/path.ts'

/** The headers of a response that shows a row. */
export function versionHeaders({ version }: StoredRow): { readonly ETag: string } {
  return { ETag: formatETag(version) }
}

/** The headers of a response to a request that created a row in the list at the request's path. */
export function creationHeaders(row: StoredRow, { path }: RequestContext) {
  return { ...versionHeaders(row), Location: `${apiPath}${path}/${row.id}` }
}

/**
 * Lets the owners of something and admins pass.
 *
 * @throws SallyportError 403 `FORBIDDEN`
 */
export function requireOwnership(context: RequestContext, ...owners: readonly (string | null)[]): void {
  const caller = callerOf(context)
  requireOwner(caller, owners.find((owner) => owner === caller.sub) ?? null, { orRoles: ['admin'] })
}

/**
 * Lets the owners of a row and admins change it, as long as it is what the request expects.
 *
 * @throws SallyportError 403 `FORBIDDEN`; 412 `PRECONDITION_FAILED`
 */
export function requireChangeable(
  context: RequestContext,
  row: StoredRow,
  ...owners: readonly (string | null)[]
): void {
  requireOwnership(context, ...owners)
  checkPreconditions({ ...context.conditions, etag: formatETag(row.version) })
}

/** What a body changes of a row, and what is wrong with that. */
export interface Comparison<Changes> {
  readonly changes: Changes
  /** A detail for each field that is changed and may not be. */
  readonly problems: readonly ErrorDetail[]
}

/**
 * Compares a body with a row. Fields that may not be changed may be sent as they are, so that what was read can be
 * written back.
 *
 * @param readOnly fields that may not be changed, beside those that every resource has
 */
export function compare<Row extends StoredRow, Field extends keyof Row>(
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

/** A detail for each field that differs from a row's and may not be changed; none where there is no such row. */
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
    .map((field) => ({ field: String(field), message: 'Cannot be changed' }))
}

/**
 * What a body changes of a row, by {@link compare}.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` with a detail for each field that is changed and may not be
 */
export function changesOf<Row extends StoredRow, Field extends keyof Row>(
  row: Row,
  body: { readonly [Name in Field]?: Row[Name] | undefined },
  ...readOnly: readonly Exclude<keyof Row, keyof StoredRow>[]
): Partial<Pick<Row, Field>> {
  const { changes, problems } = compare(row, body, ...readOnly)
  requireNone(problems)
  return changes
}

/** @throws SallyportError 400 `VALIDATION_ERROR` with all problems, if there are any */
export function requireNone(problems: readonly ErrorDetail[]): void {
  if (problems.length === 0) return
  throw new SallyportError('VALIDATION_ERROR', 'The request is not valid', { details: problems })
}
