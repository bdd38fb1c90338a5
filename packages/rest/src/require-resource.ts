import { SallyportError } from '@sallyport/errors'
import type { ApiContext } from './api/api-context.ts'
import { checkPreconditions, hashETag } from './conditional.ts'
import { dataEnvelope } from './envelope.ts'

/**
 * Requires a resource that a store may not have.
 *
 * @throws SallyportError 404 `NOT_FOUND` for undefined and null
 *
 * @example
 * ```ts
 * import { requireFound } from '@sallyport/rest'
 *
 * const notes = new Map([['1', { text: 'Buy milk' }]])
 * const { text } = requireFound(notes.get('1'), 'There is no such note')
 * ```
 */
export function requireFound<Resource>(
  resource: Resource | undefined | null,
  message = 'There is no such resource',
): Resource {
  if (resource === undefined || resource === null) throw new SallyportError('NOT_FOUND', message)
  return resource
}

/**
 * Requires that the preconditions of a request accept the current state of a resource, by the `ETag` that the API computes
 * for `{ data: resource }`, without undeclared fields where `responseSchemas` strips them. Call it in the transaction that changes the resource.
 *
 * @throws SallyportError 412 `PRECONDITION_FAILED`; 400 `BAD_REQUEST` for a malformed header
 *
 * @example
 * ```ts
 * import { requireCurrent, type ApiContext } from '@sallyport/rest'
 *
 * function rename(note: { text: string }, text: string, context: ApiContext) {
 *   requireCurrent(context, note)
 *   note.text = text
 * }
 * ```
 */
export function requireCurrent({ conditions }: Pick<ApiContext, 'conditions'>, resource: unknown): void {
  const { represent = (value: unknown) => value } = conditions
  checkPreconditions({ ...conditions, etag: hashETag(JSON.stringify(dataEnvelope(represent(resource)))) })
}
