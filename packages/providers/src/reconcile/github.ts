import { createVendorApi, readAnswer, type VendorApi } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { MissedDelivery, RedeliverySource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { mostPages, numericId, type SourceOptions } from './service-api.ts'

/** A webhook of a repository (`owner/name`) or of an organization, or the one of the app whose JWT is the token. */
export type GithubHook =
  | { readonly repository: string; readonly hook: number }
  | { readonly organization: string; readonly hook: number }
  | { readonly app: true }

const deliveries = z.array(
  z.object({
    id: numericId,
    guid: z.string().min(1).max(200),
    delivered_at: z.iso.datetime({ offset: true }),
    status_code: z.int(),
    redelivery: z.boolean(),
  }),
)

/**
 * Creates the source of a webhook at GitHub: it lists deliveries, and asks for those that failed. GitHub keeps the deliveries of
 * the last three days, and an Enterprise Server those of seven.
 *
 * The token needs read and write access to the webhooks. An app uses its JWT.
 *
 * @throws TypeError for a repository or base URL in another form
 * @see https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks
 */
export function reconcileGithub({
  hook,
  token,
  name = 'github',
  endpoint,
  baseUrl = 'https://api.github.com',
  fetch,
  now,
}: SourceOptions & { readonly hook: GithubHook }): RedeliverySource {
  const headers = (value: string) => ({
    ...{ accept: 'application/vnd.github+json', authorization: `Bearer ${value}` },
    'x-github-api-version': '2022-11-28',
  })
  const api = createVendorApi({ baseUrl, token, fetch, now, headers })
  const path = `${getPath(hook)}/deliveries`
  return {
    ...{ name, provider: 'github', endpoint },
    async *list({ since, signal }) {
      // The list begins with the newest delivery and has no bounds.
      yield* (await listAttempts(api, path, since, signal)).reverse()
    },
    async redeliver(ref, signal) {
      await api(`${path}/${ref}/attempts`, { method: 'POST', signal })
      return false
    },
  }
}

/** Lists the newest attempt of each event that failed or was sent again. */
async function listAttempts(
  api: VendorApi,
  path: string,
  since: number,
  signal: AbortSignal,
): Promise<MissedDelivery[]> {
  const attempts = new Map<string, MissedDelivery>()
  const succeeded = new Set<string>()
  const read = (body: unknown) => readAnswer(deliveries, body)
  for await (const page of readPages(api, `${path}?per_page=100`, { read, most: mostPages, signal }))
    for (const { id, guid, delivered_at, status_code, redelivery } of page) {
      const at = Date.parse(delivered_at)
      if (at < since) return [...attempts.values()]
      const isDelivered = status_code >= 200 && status_code <= 299
      const isNew = !succeeded.has(guid) && !attempts.has(guid)
      if (isDelivered) succeeded.add(guid)
      if (isNew && (!isDelivered || redelivery)) attempts.set(guid, { id: guid, at, ref: id, isDelivered })
    }
  return [...attempts.values()]
}

function getPath(hook: GithubHook): string {
  if ('app' in hook) return 'app/hook'
  const owner = 'repository' in hook ? hook.repository.split('/') : [hook.organization]
  const isValid = owner.length === ('repository' in hook ? 2 : 1) && owner.every((part) => word.test(part))
  if (!isValid || !Number.isSafeInteger(hook.hook))
    throw new TypeError('A webhook of GitHub needs `owner/name` or an organization, and its number')
  return `${'repository' in hook ? 'repos' : 'orgs'}/${owner.join('/')}/hooks/${hook.hook}`
}

const word = /^(?!\.+$)[\w.-]{1,100}$/
