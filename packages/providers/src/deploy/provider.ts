import { defineProvider, hmac, type Message, type Provider } from '@sallyport/webhooks'
import type * as z from 'zod'
import { optionalText, readText } from '../fields.ts'
import { occurredAt } from '../time.ts'
import {
  deployEvents,
  deploymentPayload,
  type DeployEvents,
  type deployment,
  type DeploymentPayload,
} from './schemas.ts'
import { createNotify, lines, oneLine, phrase, webLinks } from '../message.ts'

export interface DeployOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'deploy' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-deploy-signature' */
  readonly header?: string
}

/**
 * A deployment platform: Vercel, or a service with the same signature and payloads.
 *
 * - Signature: HMAC-SHA1 over the raw body, lower-case hexadecimal. The key is the secret that the service shows once, when
 *   the webhook is created. For an integration's webhook, the key is the client secret of the integration.
 * - `deploy.created`, `deploy.succeeded`, `deploy.error` and `deploy.canceled`: from `deployment.created`,
 *   `deployment.succeeded`, `deployment.error` and `deployment.canceled`. Key: the `id` in the body.
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
    readKind: ({ payload }) => readText(payload, 'type'),
    normalize({ payload }) {
      const kind = kinds.get(readText(payload, 'type'))
      if (kind === undefined) return []
      const read = deploymentPayload.parse(payload)
      const data = toDeployment(read)
      return { kind, key: [read.id], subject: data.deployment_id, ...occurredAt(data.occurred_at), data }
    },
    notify,
  })
}

/** The notifications for events of a deployment platform. */
const notify = createNotify(deployEvents, {
  'deploy.created': about('started', 'info'),
  'deploy.succeeded': about('succeeded', 'info'),
  'deploy.error': about('failed', 'error'),
  'deploy.canceled': about('was canceled', 'warning'),
})

function about(outcome: string, severity: Message['severity']) {
  return (one: z.output<typeof deployment>): Message => {
    const what = `${phrase('', one.target) || 'preview'} deployment`
    const from = [phrase(' of ', one.branch), phrase(' at ', one.sha?.slice(0, 7) ?? null)].join('')
    return {
      title: `${phrase('', one.project) || 'Project'}: ${what} ${outcome}`,
      text: lines(
        phrase('', one.commit_message, 300),
        oneLine(`The ${what}${from}${phrase(' by ', one.actor)} ${outcome}`, 500),
      ),
      severity,
      links: webLinks([
        { label: severity === 'info' ? 'Deployment' : 'Logs', url: one.inspect_url },
        { label: 'Project', url: one.project_url },
        ...(outcome === 'succeeded' ? [{ label: 'Visit', url: one.url }] : []),
      ]),
    }
  }
}

/** The deployment platform with its default name. */
export const deploy = createDeploy()

const kinds = new Map<string | undefined, keyof DeployEvents>([
  ['deployment.created', 'deploy.created'],
  ['deployment.succeeded', 'deploy.succeeded'],
  ['deployment.error', 'deploy.error'],
  ['deployment.canceled', 'deploy.canceled'],
])

function toDeployment({ createdAt, payload }: DeploymentPayload): z.input<typeof deployment> {
  const { deployment: one, project, team, user, links } = payload
  return {
    deployment_id: one.id,
    project: project?.name ?? one.name,
    project_id: project?.id ?? null,
    target: payload.target,
    url: toUrl(one.url),
    aliases: payload.alias,
    ...readCommit(one.meta ?? {}),
    team_id: team?.id ?? null,
    user_id: user?.id ?? null,
    inspect_url: links?.deployment ?? null,
    project_url: links?.project ?? null,
    occurred_at: createdAt,
  }
}

/** Adds the scheme to a host, which the platform sends without one. */
function toUrl(url: string | null): string | null {
  if (url === null) return null
  return /^https?:\/\//.test(url) ? url : `https://${url}`
}

/** The commit of a deployment. */
interface Commit {
  readonly branch: string | null
  readonly sha: string | null
  readonly commit_message: string | null
  readonly actor: string | null
}

const hosts = ['github', 'gitlab', 'bitbucket'] as const

/** Reads the commit from the metadata of a deployment; all fields are null for a deployment from the command line. */
function readCommit(meta: Readonly<Record<string, unknown>>): Commit {
  const read = (...fields: readonly string[]): string | null => {
    for (const field of fields) {
      for (const host of hosts) {
        const name = `${host}${field}`
        const value = Object.hasOwn(meta, name) ? optionalText.parse(meta[name]) : null
        if (value !== null) return value
      }
    }
    return null
  }
  return {
    branch: read('CommitRef'),
    sha: read('CommitSha'),
    commit_message: read('CommitMessage'),
    actor: read('CommitAuthorName', 'CommitAuthorLogin'),
  }
}
