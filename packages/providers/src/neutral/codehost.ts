/**
 * Neutral contract with payloads in the form of GitHub; GitHub itself is `github`.
 *
 * Signed by HMAC-SHA256 of the body, in hexadecimal after `sha256=`. The secret is the text that was set
 * for the webhook.
 *
 * @module
 */
import {
  parseFormJson,
  parseJson,
  type LargeIntegers,
  type Message,
  type Provider,
  type VerifiedDelivery,
} from '@sallyport/webhooks'
import * as z from 'zod'
import { readPath } from '../agreement.ts'
import { computed, count, data, id, readList, required, text, time, withDefault } from '../fields.ts'
import { findEvents } from '../github-events.ts'
import { createNeutral, kind, type EventsOf, type NeutralOptions, type ServiceEvent } from '../mapping.ts'
import { lines, oneLine, phrase, webLinks, type Messages } from '../message.ts'
import { github } from '../services/github.ts'

/** The data of `workflow_run.completed`: one completed attempt of a run. */
const workflowRunCompleted = data({
  /** `owner/name`. */
  repository: required(text('repository.full_name')),
  /** The name of the workflow, or the path of its file. */
  workflow: withDefault(
    text('workflow.name', 'workflow_run.name', 'workflow.path', 'workflow_run.path'),
    'workflow',
  ),
  workflow_path: text('workflow.path', 'workflow_run.path'),
  run_id: required(id('workflow_run.id')),
  run_number: count('workflow_run.run_number'),
  /** 1 for the first attempt, plus 1 for each re-run. */
  run_attempt: required(count('workflow_run.run_attempt')),
  /** The title of the run, such as the commit message. */
  title: text('workflow_run.display_title'),
  /** `success`, `failure`, `cancelled`, `timed_out`, `action_required`, `neutral`, `skipped`, `stale` or another value. */
  conclusion: text('workflow_run.conclusion'),
  /** The event that started the run, such as `push`. */
  trigger: text('workflow_run.event'),
  branch: text('workflow_run.head_branch'),
  sha: text('workflow_run.head_sha'),
  /** The numbers of the run's pull requests. */
  pull_requests: computed(z.array(z.int()), (payload) =>
    readList(payload, 'workflow_run.pull_requests').flatMap((one) => count('number').read(one) ?? []),
  ),
  /** The login of the user who started this attempt. */
  actor: text('workflow_run.triggering_actor.login', 'workflow_run.actor.login', 'sender.login'),
  url: text('workflow_run.html_url'),
  created_at: time('workflow_run.created_at'),
  started_at: time('workflow_run.run_started_at'),
  completed_at: time('workflow_run.updated_at'),
})

/** The data of `package.published`: one version of one package. */
const packagePublished = data({
  /** `owner/name` of the package's repository, if it has one. */
  repository: text('repository.full_name'),
  /** The login of the package's owner. */
  owner: text('package.owner.login'),
  package: required(text('package.name')),
  package_id: required(id('package.id')),
  /** `npm`, `maven`, `rubygems`, `nuget`, `docker`, `container` or another value, in lower case. */
  package_type: computed(
    z.string().nullable(),
    (payload) => text('package.package_type', 'package.ecosystem').read(payload)?.toLowerCase() ?? null,
  ),
  /** For an image, its digest. */
  version: text('package.package_version.version', 'package.package_version.name'),
  version_id: required(id('package.package_version.id')),
  /** The tag of an image. */
  tag: text('package.package_version.container_metadata.tag.name'),
  sha: text('package.package_version.target_oid'),
  /** The login of the publisher. */
  actor: text('sender.login'),
  url: text('package.package_version.html_url', 'package.html_url'),
  install_command: text('package.package_version.installation_command'),
  published_at: time(
    'package.package_version.created_at',
    'package.package_version.updated_at',
    'package.updated_at',
    'package.created_at',
  ),
})

const at = (moment: string | null) => (moment === null ? {} : { occurredAt: Date.parse(moment) })

const kinds = {
  // Webhooks of a repository and of its organization send one attempt with different bodies.
  'workflow_run.completed': kind(['workflow_run.completed'], workflowRunCompleted, (run) => ({
    key: [run.run_id, run.run_attempt],
    subject: `${run.repository}/actions/runs/${run.run_id}`,
    ...at(run.completed_at),
  })),
  // A webhook can have both subscriptions. A version that is announced with another tag is another event.
  'package.published': kind(['package.published', 'registry_package.published'], packagePublished, (one) => ({
    key: [one.version_id, one.tag ?? []].flat(),
    subject: `${one.repository ?? one.owner ?? 'packages'}/packages/${one.package_id}`,
    ...at(one.published_at),
  })),
}

/** The kinds of events of a code host with the schemas of their data. */
type CodehostEvents = EventsOf<typeof kinds>

const outcomes = new Map<string | null, readonly [words: string, severity: Message['severity']]>([
  ['success', ['succeeded', 'info']],
  ['failure', ['failed', 'error']],
  ['timed_out', ['timed out', 'error']],
  ['startup_failure', ['could not start', 'error']],
  ['cancelled', ['was cancelled', 'warning']],
  ['action_required', ['needs an action', 'warning']],
  ['stale', ['went stale', 'warning']],
  ['skipped', ['was skipped', 'info']],
])

const messages: Messages<CodehostEvents> = {
  'workflow_run.completed': (run) => {
    const [words, severity] = outcomes.get(run.conclusion) ?? ['completed', 'info']
    const commit = `${phrase(' on ', run.branch)}${phrase(' at ', run.sha?.slice(0, 7) ?? null)}`
    const number = run.run_number === null ? '' : ` #${run.run_number}`
    const start = `started${phrase(' by ', run.actor)}${run.trigger === null ? '' : ` (${oneLine(run.trigger)})`}`
    return {
      title: `${oneLine(run.repository)}: ${oneLine(run.workflow)} ${words}`,
      text: lines(phrase('', run.title, 300), `Run${number}, attempt ${run.run_attempt}${commit}, ${start}`),
      severity,
      links: webLinks([{ label: 'Workflow run', url: run.url }]),
    }
  },
  'package.published': ({ owner, repository, actor, ...published }) => {
    const home = phrase('', repository ?? owner) || 'Package'
    const version = phrase(' ', published.tag ?? published.version ?? published.version_id, 40)
    const type = phrase('', published.package_type) || 'package'
    return {
      title: `${home}: ${oneLine(published.package)}${version} published`,
      text: lines(
        `A new version of the ${type} package${phrase(' by ', actor)}${phrase(' from ', repository)}`,
        phrase('', published.install_command, 300),
      ),
      severity: 'info',
      links: webLinks([{ label: 'Package', url: published.url }]),
    }
  },
}

/**
 * Names the event of a delivery. The signature does not cover the header, so the header can only restrict: an event of a kind
 * needs the body of the event. Without the header, or with an empty or repeated one, the body names the event.
 */
function read({ headers, payload }: VerifiedDelivery): readonly ServiceEvent[] {
  const header = headers.get('x-github-event') ?? ''
  const found = findEvents(payload)?.join() ?? 'unknown'
  const name = /^[a-z][a-z0-9_]*$/.test(header) ? header : found
  if (name !== found && /^(?:workflow_run|package|registry_package)$/.test(name)) {
    throw new TypeError(`The header x-github-event is "${name}", but the payload belongs to another event`, {
      cause: [{ path: [name], code: 'other_event' }],
    })
  }
  const one = readPath(payload, name)
  // Such an event has no version that is published.
  if (readPath(one, 'package_version') === null) return []
  const data = name === 'registry_package' ? { ...(payload as object), package: one } : payload
  return [{ kind: [name, text('action').read(payload) ?? []].flat().join('.'), subject: name, data }]
}

const parseForm = parseFormJson('payload')
const prefix = new TextEncoder().encode('payload=')

/** Parses JSON or a form: no JSON text begins with `payload=`, and the content type is not signed. */
const parse = (body: Uint8Array, largeIntegers?: LargeIntegers): unknown =>
  (prefix.every((byte, index) => body[index] === byte) ? parseForm : parseJson)(body, largeIntegers)

/**
 * A code host: GitHub, GitHub Enterprise Server, or a service with the same signature and payloads.
 *
 * @throws TypeError when the name or the header is malformed
 *
 * @example
 * ```ts
 * import { createCodehost } from '@sallyport/providers/codehost'
 *
 * export const forge = createCodehost({ name: 'forge' })
 * ```
 */
export function createCodehost<const Name extends string = 'codehost'>({
  name = 'codehost' as Name,
  header = 'x-hub-signature-256',
}: NeutralOptions<Name> = {}): Provider<CodehostEvents, Name> {
  const queueable = ['workflow_run.completed'] as const
  return createNeutral(github, { name, header, kinds, messages, read, parse, queueable })
}

/** The code host with its default name. */
export const codehost = createCodehost()
