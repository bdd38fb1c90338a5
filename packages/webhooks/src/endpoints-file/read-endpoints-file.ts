import { readFile, stat } from 'node:fs/promises'
import { isSallyportError } from '@sallyport/errors'
import { describeUnreadableFile, maxProblems, parseDeclarations } from '@sallyport/internal/declaration-file'
import { describeSecretList, separateSecrets, type SeparatedSecrets } from '@sallyport/internal/secret-list'
import type { AnyProvider } from '@sallyport/webhooks'
import type { GatewayEndpoint } from '../ports/ports.ts'
import { isEndpointId } from '../gateway/endpoint-id.ts'
import { createKindFilter } from '@sallyport/internal/kind'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { z } from 'zod'

export interface FileToRead {
  readonly path: string
  /** The name of the file in problems. */
  readonly name: string
  readonly providers: readonly AnyProvider[]
  readonly secrets: Pick<SecretStore, 'renew' | 'whole'>
}

interface FileEndpoint extends GatewayEndpoint {
  readonly name?: string | undefined
  readonly labels: Readonly<Record<string, string>>
}

/** The endpoints of a file by id, or its problems. No problem contains a secret. */
export type ReadEndpoints =
  | {
      readonly endpoints: ReadonlyMap<string, FileEndpoint>
      /** Notices for the operator. */
      readonly notices: readonly string[]
      readonly problems?: never
    }
  | { readonly problems: readonly string[]; readonly endpoints?: never }

const maxBytes = 16 * 1024 ** 2
const maxEndpoints = 10_000

const declaration = z.strictObject({
  id: z.string().refine(isEndpointId, 'Must have 1 to 64 letters, digits, underscores and dashes'),
  provider: z.string(),
  name: z.string().max(200).optional(),
  status: z.enum(['active', 'disabled']).default('active'),
  labels: z.record(z.string().regex(/^[\w.-]{1,63}$/), z.string().max(255)).default({}),
  // UTF-8 has no lone surrogates: another secret would verify.
  secrets: z
    .array(
      z
        .string()
        .min(1)
        .max(4096)
        .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode'),
    )
    .max(10)
    .default([]),
  secret_names: z
    .array(z.string().regex(/^ENDPOINT_SECRET_[A-Z0-9_]{1,100}$/, 'Must begin with ENDPOINT_SECRET_'))
    .max(10)
    .default([]),
  options: z
    .strictObject({
      only: z
        .array(z.string().refine(isKindPattern, 'Must be a kind, or a kind followed by .*'))
        .min(1)
        .max(100)
        .optional(),
      tolerance_seconds: z.int().min(1).max(86_400).optional(),
    })
    .default({}),
})
const fileSchema = z.strictObject({ endpoints: z.array(declaration).max(maxEndpoints) })

/** Reads and validates a file of endpoints, with the secrets that it names. */
export async function readEndpointsFile({
  path,
  name: fileName,
  providers,
  secrets,
}: FileToRead): Promise<ReadEndpoints> {
  const describe = (place: string, message: string) => `${fileName}: ${place}: ${message}`
  let text: string
  try {
    const { size } = await stat(path)
    if (size > maxBytes) return { problems: [`${fileName} has more than ${maxBytes} bytes`] }
    text = await readFile(path, 'utf8')
  } catch (error) {
    return { problems: [describeUnreadableFile(fileName, error)] }
  }
  const parsed = parseDeclarations(fileName, { path, text, schema: fileSchema })
  if (parsed.problems) return parsed

  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const endpoints = new Map<string, FileEndpoint>()
  const problems: string[] = []
  const notices = new Set<string>()
  for (const [index, one] of parsed.data.endpoints.entries()) {
    const at = `endpoints.${index}`
    const provider = byName.get(one.provider)
    if (provider === undefined) problems.push(describe(`${at}.provider`, 'Is not a registered provider'))
    if (endpoints.has(one.id)) problems.push(describe(`${at}.id`, 'Is declared twice'))
    const named: string[] = []
    for (const name of one.secret_names) {
      const read = await readNamed(secrets, name, provider)
      if (read.values.length === 0)
        problems.push(describe(`${at}.secret_names`, `${name} is missing or unreadable`))
      if (read.isAmbiguous) notices.add(describeSecretList(name, read.values))
      named.push(...read.values)
    }
    const all = [...one.secrets, ...named]
    if (new Set(all).size < all.length) problems.push(describe(`${at}.secrets`, 'A secret is given twice'))
    const unusable = provider && (await findUnusableSecret(provider, all))
    if (unusable !== undefined) problems.push(describe(`${at}.secrets`, unusable))
    const { id, name, status, labels } = one
    const { only, tolerance_seconds: toleranceSeconds } = one.options
    if (toleranceSeconds !== undefined && provider?.signature.hasTolerance !== true)
      problems.push(describe(`${at}.options.tolerance_seconds`, `${one.provider} signs no time`))
    const options = {
      ...(only !== undefined && { only }),
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    }
    endpoints.set(id, {
      id,
      ...(name !== undefined && { name }),
      provider: one.provider,
      status,
      labels,
      options,
      secrets: all,
    })
  }
  return problems.length > 0
    ? { problems: problems.slice(0, maxProblems) }
    : { endpoints, notices: [...notices] }
}

function isKindPattern(text: string): boolean {
  try {
    createKindFilter([text])
    return true
  } catch {
    return false
  }
}

async function readNamed(
  secrets: FileToRead['secrets'],
  name: string,
  provider: AnyProvider | undefined,
): Promise<SeparatedSecrets> {
  const values = await secrets.renew(name).then(
    (renewed) => renewed.values,
    () => [],
  )
  return separateSecrets({ values, whole: secrets.whole(name) }, provider?.signature ?? {})
}

async function findUnusableSecret(
  { name, signature }: AnyProvider,
  secrets: readonly string[],
): Promise<string | undefined> {
  try {
    for (const secret of secrets) await signature.checkSecret?.(secret)
    return undefined
  } catch (error) {
    const why = isSallyportError(error) ? `: ${error.message}` : ''
    return `${name} cannot use a secret${why}`
  }
}
