import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, host, names, read, readItems } from './api.ts'

const parameters = z
  .strictObject({
    /** Such as `acme/shop`. */
    repository: z
      .string()
      .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/)
      .optional(),
    organization: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .optional(),
    events: names,
    /** The API of GitHub Enterprise Server. */
    baseUrl: host.default('https://api.github.com'),
  })
  .refine(({ repository, organization }) => (repository === undefined) !== (organization === undefined), {
    message: 'Needs either repository or organization',
  })

type Context = SubscriptionContext<z.output<typeof parameters>>

const hook = z.object({
  id: z.int(),
  active: z.boolean(),
  config: z.object({ url: z.string().optional() }),
})

function open(context: Context) {
  const { repository, organization, baseUrl } = context.parameters
  const api = connect(context, {
    baseUrl,
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    }),
  })
  const owner = repository === undefined ? `orgs/${organization ?? ''}` : `repos/${repository}`
  return { api, path: `${owner}/hooks` }
}

const describe = ({ parameters: { events }, address, secrets: [secret] }: Context) => ({
  active: true,
  events,
  config: { url: address, content_type: 'json', secret, insecure_ssl: '0' },
})

/**
 * GitHub: webhooks of a repository or an organization. The token needs `admin:repo_hook` or `admin:org_hook`, or the write
 * permission for webhooks.
 *
 * @see https://docs.github.com/en/rest/repos/webhooks
 * @see https://docs.github.com/en/rest/orgs/webhooks
 */
export const github: SubscriptionService<z.output<typeof parameters>> = {
  name: 'github',
  secret: 'endpoint',
  parameters,
  async list(context, known) {
    const { api, path } = open(context)
    const hooks = await readItems(api, `${path}?per_page=100`, {
      read: (body) => read(z.array(hook), body),
      items: (page) => page,
      signal: context.signal,
    })
    return hooks
      .filter(({ id, config }) => config.url === context.address || String(id) === known?.id)
      .map(({ id, active }) => ({ id: String(id), isDisabled: !active }))
  },
  async create(context) {
    const { api, path } = open(context)
    const body = { name: 'web', ...describe(context) }
    const answer = await api(path, { method: 'POST', body, signal: context.signal })
    return { id: String(read(hook, answer.body).id) }
  },
  async repair(context, { id }) {
    const { api, path } = open(context)
    const body = describe(context)
    const answer = await api(`${path}/${id}`, { method: 'PATCH', body, signal: context.signal })
    return { id: String(read(hook, answer.body).id) }
  },
  async remove(context, { id }) {
    const { api, path } = open(context)
    await deleteOnce(api(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
  },
}
