import { apiTokenName, createTokenReader, findTokenProblem } from '@sallyport/internal/api-tokens'
import { readDeclarations } from '@sallyport/internal/declaration-file'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { z } from 'zod'
import type { SubscriptionsOptions } from '../subscriptions/options.ts'

interface SubscriptionsFile extends Required<Pick<SubscriptionsOptions, 'declared' | 'credentials'>> {
  readonly problems: readonly string[]
}

const declaration = z.strictObject({
  id: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'Must have 1 to 128 letters, digits, and _ . -')
    .optional(),
  service: z.string().min(1).max(63),
  endpoint: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'Must be the id of an endpoint')
    .optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  token_name: apiTokenName.optional(),
})
const fileSchema = z.strictObject({ subscriptions: z.array(declaration).max(1000) })

/**
 * Reads a file of subscriptions, for the option `subscriptions` of `createWebhooks`. The file has a list `subscriptions`: each has
 * a `service`, its `parameters`, the id of an `endpoint` or none for the address of the provider, and in `token_name` the
 * name of a secret with the token, which exists. Without an `id`, the id is the service and the endpoint. No problem contains a part
 * of the file.
 *
 * @param options `secrets` has the tokens, which are read again when their lease ends, and after the service refused one
 * @example
 * ```ts
 * import { environmentSecrets } from '@sallyport/webhooks/secret-stores'
 * import { readSubscriptionsFile } from '@sallyport/webhooks/subscriptions-file'
 *
 * const secrets = environmentSecrets(process.env)
 * const { problems, ...file } = readSubscriptionsFile('subscriptions.yaml', { secrets })
 * if (problems.length > 0) throw new Error(problems.join('\n'))
 * // createWebhooks({ subscriptions: { services: subscriptionServices, ...file }, … })
 * ```
 */
export function readSubscriptionsFile(
  path: string,
  {
    secrets,
    name = path,
  }: {
    readonly secrets: Pick<SecretStore, 'all' | 'renew' | 'failure'>
    /** The name of the file in problems. @default the path */
    readonly name?: string
  },
): SubscriptionsFile {
  const readToken = createTokenReader(secrets)
  const credentials: SubscriptionsOptions['credentials'] = ({ credential, isRefused }) =>
    credential === undefined ? '' : readToken(credential, isRefused)
  const fail = (...problems: readonly string[]) => ({ declared: [], credentials, problems })
  const parsed = readDeclarations(name, { path, schema: fileSchema })
  if (parsed.problems) return fail(...parsed.problems)
  const declared = parsed.data.subscriptions.map(({ id, service, endpoint, parameters, token_name }) => ({
    id: id ?? (endpoint === undefined ? service : `${service}-${endpoint}`),
    ...{ service, parameters },
    ...(endpoint !== undefined && { endpoint }),
    ...(token_name !== undefined && { credential: token_name }),
  }))
  const ids = declared.map(({ id }) => id)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (twice >= 0) return fail(`${name}: subscriptions.${twice}: Set an id, because another one has the same`)
  const problems = declared.flatMap(({ id, credential }) =>
    credential === undefined ? [] : (findTokenProblem(secrets, credential, `the subscription ${id}`) ?? []),
  )
  if (problems.length > 0) return fail(...problems)
  return { declared, credentials, problems: [] }
}
