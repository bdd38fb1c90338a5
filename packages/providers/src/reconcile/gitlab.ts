import { createVendorApi, readAnswer } from '@sallyport/internal/vendor-api'
import { readPages } from '@sallyport/internal/vendor-pages'
import type { MissedDelivery, RedeliverySource } from '@sallyport/webhooks/reconcile'
import * as z from 'zod'
import { mostPages, numericId, type SourceOptions } from './service-api.ts'

/** A webhook of a project or group, by its number or path such as `group/project`. */
export type GitlabHook =
  | { readonly project: string | number; readonly hook: number }
  | { readonly group: string | number; readonly hook: number }

const events = z.array(
  z.object({
    id: numericId,
    created_at: z.iso.datetime({ offset: true }),
    request_headers: z.record(z.string(), z.unknown()),
  }),
)

/** The status of an unreachable server is a text. */
const resent = z.object({ response_status: z.coerce.number().catch(0) })

/** The most events of a page. */
const pageSize = 20

/**
 * Creates the source of a webhook at GitLab: it lists events that failed, and asks to resend them. GitLab keeps events for 7 days,
 * and resends 5 a minute.
 *
 * The token needs the scope `api` and the role Maintainer.
 *
 * @param options `provider` is `gitlab` for a signing token, and `gitlab-token` for a secret token. @default 'gitlab'
 * @throws TypeError for a hook or base URL in another form
 * @see https://docs.gitlab.com/api/project_webhooks/
 */
export function reconcileGitlab({
  hook,
  token,
  provider = 'gitlab',
  name = 'gitlab',
  endpoint,
  baseUrl = 'https://gitlab.com/api/v4',
  fetch,
  now,
}: SourceOptions & {
  readonly hook: GitlabHook
  readonly provider?: 'gitlab' | 'gitlab-token'
}): RedeliverySource {
  // The headers and the body of each event are part of the list.
  const api = createVendorApi({ baseUrl, token, fetch, now, maximumBytes: 64 * 1024 * 1024 })
  const path = `${getPath(hook)}/events`
  return {
    ...{ name, provider, endpoint },
    async *list({ since, signal }) {
      const failed: MissedDelivery[] = []
      let number = 1
      const select = () => ({ status: 'client_failure,server_failure', per_page: pageSize, page: number++ })
      const pages = readPages(api, path, {
        query: select(),
        read: (body) => readAnswer(events, body).map(toMissed),
        next: (page) => (page.length < pageSize ? undefined : select()),
        ...{ most: mostPages, signal },
      })
      for await (const page of pages) {
        failed.push(...page.filter(({ at }) => at >= since))
        if (page.some(({ at }) => at < since)) break
      }
      yield* failed.reverse()
    },
    async redeliver(ref, signal) {
      const { body } = await api(`${path}/${ref}/resend`, { method: 'POST', signal })
      const { response_status: status } = readAnswer(resent, body)
      return status >= 200 && status <= 299
    },
  }
}

const toMissed = ({ id, created_at, request_headers }: z.output<typeof events>[number]): MissedDelivery => ({
  ...{ id: getKey(request_headers), at: Date.parse(created_at), ref: id },
})

const keyHeaders = ['idempotency-key', 'webhook-id']

/** Returns the header that a resent event repeats. */
function getKey(headers: Readonly<Record<string, unknown>>): string {
  const found = Object.entries(headers).find(([name]) => keyHeaders.includes(name.toLowerCase()))
  return readAnswer(z.string().min(1).max(200), found?.[1])
}

function getPath(hook: GitlabHook): string {
  const [kind, id] = 'project' in hook ? ['projects', hook.project] : ['groups', hook.group]
  if (
    !Number.isSafeInteger(hook.hook) ||
    !/^[\w.][\w./-]{0,255}$/.test(String(id)) ||
    String(id).includes('..')
  )
    throw new TypeError('A webhook of GitLab needs a project or group, and its number')
  return `${kind}/${encodeURIComponent(id)}/hooks/${hook.hook}`
}
