import type { ErrorDetail } from '@sallyport/errors'

/** What is wrong with the value of an `Idempotency-Key` header; of one that did not come, too. */
export function keyProblems(value: unknown): readonly ErrorDetail[] {
  // A header that did not come is not the text "undefined": a test of a pattern alone would take it for that.
  if (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)) return []
  return [{ field: 'Idempotency-Key', message: 'Must have 1 to 255 visible ASCII characters' }]
}
