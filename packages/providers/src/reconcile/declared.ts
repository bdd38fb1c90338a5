import { apiTokenName, createTokenReader, findTokenProblem } from '@sallyport/internal/api-tokens'
import type { ReconcileSource } from '@sallyport/webhooks/reconcile'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import * as z from 'zod'
import { reconcileGithub, type GithubHook } from './github.ts'
import { reconcileGitlab } from './gitlab.ts'
import type { SourceOptions } from './service-api.ts'
import { reconcilePaddle } from './paddle.ts'
import { reconcilePolar } from './polar.ts'
import { reconcileStripe } from './stripe.ts'

const members = {
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Has lower-case letters, digits, _ and - only'),
  /** The name of the secret with the token. */
  token_name: apiTokenName,
  endpoint: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'Must be the id of an endpoint')
    .optional(),
  base_url: z.url().optional(),
}
const hook = z.int().positive()
const path = z.string().min(1).max(256)

/** A declaration of a source in a file. */
export const reconcileSchema = z.discriminatedUnion('service', [
  z.strictObject({
    ...members,
    service: z.literal('github'),
    repository: path.optional(),
    organization: path.optional(),
    hook,
  }),
  z.strictObject({
    ...{ ...members, service: z.literal('gitlab'), project: z.union([path, hook]).optional() },
    ...{
      group: z.union([path, hook]).optional(),
      hook,
      provider: z.enum(['gitlab', 'gitlab-token']).optional(),
    },
  }),
  z.strictObject({ ...members, service: z.literal('paddle'), destination: path.optional() }),
  z.strictObject({ ...members, service: z.literal('polar'), webhook: path.optional() }),
  z.strictObject({
    ...members,
    service: z.literal('stripe'),
    types: z.array(z.string().max(200)).max(20).optional(),
  }),
])

type Declaration = z.output<typeof reconcileSchema>

interface OpenOptions {
  /** Has the tokens. A token is read again when its lease ends, and after the service refused it. */
  readonly secrets: Pick<SecretStore, 'all' | 'renew' | 'failure'>
  /** The names of the registered providers. */
  readonly providers: readonly string[]
  /** @default the platform's `fetch` */
  readonly fetch?: SourceOptions['fetch']
}

/** Creates the sources of declarations. No problem quotes a token. */
export function openReconcileSources(
  declarations: readonly Declaration[],
  { secrets, providers, fetch }: OpenOptions,
): { readonly sources: readonly ReconcileSource[]; readonly problems: readonly string[] } {
  const sources: ReconcileSource[] = []
  const problems: string[] = []
  const readToken = createTokenReader(secrets)
  for (const declaration of declarations) {
    const { name, token_name } = declaration
    const missing = findTokenProblem(secrets, token_name, `the source ${name}`)
    if (sources.some((source) => source.name === name)) problems.push(`The source ${name} is declared twice`)
    else if (missing !== undefined) problems.push(missing)
    else
      try {
        const source = create(declaration, {
          token: (asked) => readToken(token_name, asked.isRefused),
          fetch,
        })
        if (!providers.includes(source.provider)) throw new TypeError(`Needs the provider ${source.provider}`)
        sources.push(source)
      } catch (error) {
        problems.push(`The source ${name}: ${(error as Error).message}`)
      }
  }
  return { sources, problems }
}

function create(declaration: Declaration, common: Pick<SourceOptions, 'token' | 'fetch'>): ReconcileSource {
  const { name, endpoint, base_url: baseUrl } = declaration
  const options = { ...common, name, endpoint, ...pick('baseUrl', baseUrl) }
  switch (declaration.service) {
    case 'github': {
      const { repository, organization, hook: number } = declaration
      requireOne('repository or organization', repository, organization)
      const chosen: GithubHook =
        repository === undefined
          ? { organization: organization ?? '', hook: number }
          : { repository, hook: number }
      return reconcileGithub({ ...options, hook: chosen })
    }
    case 'gitlab': {
      const { project, group, hook: number, provider } = declaration
      requireOne('project or group', project, group)
      const chosen = project === undefined ? { group: group ?? '', hook: number } : { project, hook: number }
      return reconcileGitlab({ ...options, hook: chosen, ...pick('provider', provider) })
    }
    case 'paddle':
      return reconcilePaddle({ ...options, ...pick('destination', declaration.destination) })
    case 'polar':
      return reconcilePolar({ ...options, ...pick('webhook', declaration.webhook) })
    case 'stripe':
      return reconcileStripe({ ...options, ...pick('types', declaration.types) })
  }
}

const pick = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: Value }

/** @throws TypeError unless one of two values is set */
function requireOne(names: string, ...values: readonly unknown[]): void {
  if (values.filter((value) => value !== undefined).length !== 1) throw new TypeError(`Needs one of ${names}`)
}
