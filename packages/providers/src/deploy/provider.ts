import { defineProvider, hmac, type Provider } from '@sallyport/webhooks'
import type { z } from 'zod'
import { textAt } from '../fields.ts'
import { occurredAt } from '../time.ts'
import { gitOf } from './git.ts'
import { notify } from './notify.ts'
import {
  deployEvents,
  deploymentPayload,
  type DeployEvents,
  type deployment,
  type DeploymentPayload,
} from './schemas.ts'

export interface DeployOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'deploy' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-deploy-signature' */
  readonly header?: string
}

/**
 * A deployment platform: Vercel, or a service that signs and speaks as it does.
 *
 * - Signature: HMAC-SHA1 over the raw body, lower-case hexadecimal. The key is the secret that is shown once, when the
 *   webhook is created; of an integration's webhook, the integration's client secret.
 * - `deploy.created`, `deploy.succeeded`, `deploy.error` and `deploy.canceled`: from the events `deployment.created` and so
 *   on. Key: the delivery's `id`, which is in the body.
 *
 * @throws TypeError when the name is malformed
 *
 * @example
 * ```ts
 * import { createDeploy } from '@sallyport/providers/deploy'
 *
 * export const launchpad = createDeploy({ name: 'launchpad', header: 'x-launchpad-signature' })
 * ```
 *
 * @see https://vercel.com/docs/webhooks/webhooks-api
 */
export function createDeploy<const Name extends string = 'deploy'>(
  options: DeployOptions<Name> = {},
): Provider<DeployEvents, Name> {
  const { name = 'deploy' as Name, header = 'x-deploy-signature' } = options
  return defineProvider<DeployEvents, Name>({
    name,
    signature: hmac({ algorithm: 'sha1', encoding: 'hex', header }),
    events: deployEvents,
    normalize({ payload }) {
      const kind = kinds.get(textAt(payload, 'type'))
      if (kind === undefined) return []
      const read = deploymentPayload.parse(payload)
      const data = deploymentOf(read)
      return { kind, key: [read.id], subject: data.deployment_id, ...occurredAt(data.occurred_at), data }
    },
    notify,
  })
}

/** The deployment platform under its own name. */
export const deploy = createDeploy()

const kinds = new Map<string | undefined, keyof DeployEvents>([
  ['deployment.created', 'deploy.created'],
  ['deployment.succeeded', 'deploy.succeeded'],
  ['deployment.error', 'deploy.error'],
  ['deployment.canceled', 'deploy.canceled'],
])

function deploymentOf({ createdAt, payload }: DeploymentPayload): z.input<typeof deployment> {
  const { deployment: one, project, team, user, links } = payload
  return {
    deployment_id: one.id,
    project: project?.name ?? one.name,
    project_id: project?.id ?? null,
    target: payload.target,
    url: addressOf(one.url),
    aliases: payload.alias,
    ...gitOf(one.meta ?? {}),
    team_id: team?.id ?? null,
    user_id: user?.id ?? null,
    inspect_url: links?.deployment ?? null,
    project_url: links?.project ?? null,
    occurred_at: createdAt,
  }
}

/** The platform tells a host without a scheme. */
function addressOf(url: string | null): string | null {
  if (url === null) return null
  return /^https?:\/\//.test(url) ? url : `https://${url}`
}
