import type { Redactor } from '../gateway/accept.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createRedactor, type RedactPaths } from '../redaction/redactor.ts'

/** Creates the redactor of an option. @throws TypeError for a provider that is not registered, and as `createRedactor` */
export function openRedactor(
  paths: RedactPaths | undefined,
  providers: readonly AnyProvider[],
): Redactor | undefined {
  if (paths === undefined) return undefined
  const known = new Set(['*', ...providers.map(({ name }) => name)])
  const unknown = Object.keys(paths).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new TypeError(`redact names the provider ${unknown}, which is not registered`)
  return createRedactor(paths)
}
