/**
 * Neutral contract with payloads in the form of Vercel; Vercel itself is `vercel`.
 *
 * Signed by HMAC-SHA1 of the body, in hexadecimal. The secret is the webhook's, shown once when it is
 * created; of an integration's webhook, its client secret.
 *
 * @module
 */
import type { Message, Provider } from '@sallyport/webhooks'
import * as z from 'zod'
import { computed, data, id, required, text, texts, time } from '../fields.ts'
import { createNeutral, kind, type EventsOf, type NeutralOptions } from '../mapping.ts'
import { lines, oneLine, phrase, webLinks, type Messages } from '../message.ts'
import { vercel } from '../services/vercel.ts'

/** A field of the commit, whose metadata begin with the name of the Git host. Deployments of the command line have none. */
const commit = (...names: readonly string[]) =>
  text(
    ...names.flatMap((name) =>
      ['github', 'gitlab', 'bitbucket'].map((host) => `payload.deployment.meta.${host}Commit${name}`),
    ),
  )

/** The data of every kind: the deployment at the time of the event. */
const deployment = data({
  deployment_id: required(id('payload.deployment.id')),
  /** The name of the project, which is also part of the deployment's address. */
  project: text('payload.project.name', 'payload.deployment.name'),
  project_id: id('payload.project.id'),
  /** `production`, `staging` or another environment; null for a preview. */
  target: text('payload.target'),
  /** The address of the deployment. */
  url: computed(z.string().nullable(), (payload) => {
    const url = text('payload.deployment.url').read(payload)
    // The platform sends a host without a scheme.
    return url === null || /^https?:\/\//.test(url) ? url : `https://${url}`
  }),
  /** The domains that will point to the deployment. */
  aliases: texts('payload.alias'),
  branch: commit('Ref'),
  sha: commit('Sha'),
  commit_message: commit('Message'),
  /** The name of the commit's author. */
  actor: commit('AuthorName', 'AuthorLogin'),
  team_id: id('payload.team.id'),
  user_id: id('payload.user.id'),
  /** The address of its logs. */
  inspect_url: text('payload.links.deployment'),
  project_url: text('payload.links.project'),
  occurred_at: time('createdAt'),
})

const kinds = {
  'deploy.created': kind(['deployment.created'], deployment),
  'deploy.succeeded': kind(['deployment.succeeded'], deployment),
  'deploy.error': kind(['deployment.error'], deployment),
  'deploy.canceled': kind(['deployment.canceled'], deployment),
}

/** The kinds of events of a deployment platform with the schemas of their data. */
type DeployEvents = EventsOf<typeof kinds>

const messages: Messages<DeployEvents> = {
  'deploy.created': about('started', 'info'),
  'deploy.succeeded': about('succeeded', 'info'),
  'deploy.error': about('failed', 'error'),
  'deploy.canceled': about('was canceled', 'warning'),
}

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

/**
 * A deployment platform: Vercel, or a service with the same signature and payloads.
 *
 * @throws TypeError when the name or the header is malformed
 *
 * @example
 * ```ts
 * import { createDeploy } from '@sallyport/providers/deploy'
 *
 * export const launchpad = createDeploy({ name: 'launchpad', header: 'x-launchpad-signature' })
 * ```
 */
export function createDeploy<const Name extends string = 'deploy'>({
  name = 'deploy' as Name,
  header = 'x-deploy-signature',
}: NeutralOptions<Name> = {}): Provider<DeployEvents, Name> {
  return createNeutral(vercel, { name, header, kinds, messages })
}

/** The deployment platform with its default name. */
export const deploy = createDeploy()
