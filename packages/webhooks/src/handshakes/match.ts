import type { HandshakeRequest } from '../provider/provider.ts'
import { formField, jsonField } from '../schemes/body-fields.ts'

/** The values that a request must have. A JSON path is as in `jsonField`; a number or a boolean is compared as text. */
export interface RequestPattern {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** Challenges are short. */
export const maximumChallengeBytes = 4096

/** Reports whether a request has all values of the pattern. */
export function matchesPattern(request: HandshakeRequest, pattern: RequestPattern): boolean {
  const { query, headers, body } = request
  if (body.length > maximumChallengeBytes) return false
  const isEqual = (
    expected: Readonly<Record<string, string>> | undefined,
    read: (name: string) => string | null | undefined,
  ) => Object.entries(expected ?? {}).every(([name, value]) => read(name) === value)
  return (
    isEqual(pattern.query, (name) => query.get(name)) &&
    isEqual(pattern.headers, (name) => headers.get(name)) &&
    isEqual(pattern.json, (path) => jsonField(body, path)) &&
    isEqual(pattern.form, (name) => formField(body, name))
  )
}
