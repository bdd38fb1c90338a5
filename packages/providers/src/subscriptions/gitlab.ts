import type { SubscriptionContext, SubscriptionService } from '@sallyport/webhooks/subscriptions'
import { z } from 'zod'
import { connect, deleteOnce, host, read, readItems } from './api.ts'

const owner = z.union([z.int().positive(), z.string().regex(/^[\w./-]{1,255}$/)]).optional()

const parameters = z
  .strictObject({
    /** The id, or the path such as `acme/shop`. */
    project: owner,
    group: owner,
    /** Such as `push_events` and `merge_requests_events`. */
    events: z
      .array(z.string().regex(/^[a-z_]{1,64}_events$/))
      .min(1)
      .max(50),
    /** The address of a self-managed GitLab. */
    baseUrl: host.default('https://gitlab.com'),
  })
  .refine(({ project, group }) => (project === undefined) !== (group === undefined), {
    message: 'Needs either project or group',
  })

type Context = SubscriptionContext<z.output<typeof parameters>>

const hook = z.object({
  id: z.int(),
  url: z.string(),
  alert_status: z.string().optional(),
})

function open(context: Context) {
  const { project, group, baseUrl } = context.parameters
  const name = project === undefined ? 'groups' : 'projects'
  const path = `${name}/${encodeURIComponent(String(project ?? group))}/hooks`
  return { api: connect(context, { baseUrl: `${baseUrl.replace(/\/$/, '')}/api/v4` }), path }
}

/** GitLab enables events of pushes by default. */
const describe = ({ parameters: { events }, address, secrets: [token] }: Context) => ({
  url: address,
  token,
  enable_ssl_verification: true,
  push_events: false,
  ...Object.fromEntries(events.map((name) => [name, true])),
})

async function create(context: Context) {
  const { api, path } = open(context)
  const answer = await api(path, { method: 'POST', body: describe(context), signal: context.signal })
  return { id: String(read(hook, answer.body).id) }
}

async function remove(context: Context, { id }: { readonly id: string }) {
  const { api, path } = open(context)
  await deleteOnce(api(`${path}/${id}`, { method: 'DELETE', signal: context.signal }))
}

/**
 * GitLab: webhooks of a project or a group with a secret token. The token needs the scope `api`.
 *
 * @see https://docs.gitlab.com/api/project_webhooks/
 * @see https://docs.gitlab.com/api/group_webhooks/
 */
export const gitlab: SubscriptionService<z.output<typeof parameters>> = {
  name: 'gitlab-token',
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
      .filter(({ id, url }) => url === context.address || String(id) === known?.id)
      .map((one) => ({ id: String(one.id), isDisabled: one.alert_status === 'disabled' }))
  },
  create,
  async repair(context, registration) {
    // A change of the settings does not enable a webhook that GitLab disabled after errors.
    if (registration.isDisabled === true) {
      const created = await create(context)
      await remove(context, registration)
      return created
    }
    const { api, path } = open(context)
    const { id } = registration
    const body = describe(context)
    const answer = await api(`${path}/${id}`, { method: 'PUT', body, signal: context.signal })
    return { id: String(read(hook, answer.body).id) }
  },
  remove,
}
