import {
  defineProvider,
  hmac,
  parseJson,
  type LargeIntegers,
  type NormalizedEvent,
  type Provider,
} from '@sallyport/webhooks'
import { readText } from '../fields.ts'
import { occurredAt } from '../time.ts'
import { recognize, type Recognized } from './event-name.ts'
import { notify } from './notify.ts'
import { codehostEvents, packagePayload, workflowRunPayload, type CodehostEvents } from './schemas.ts'

export interface CodehostOptions<Name extends string = string> {
  /** The path segment and the first part of every event's name. @default 'codehost' */
  readonly name?: Name
  /** The header that carries the signature. @default 'x-hub-signature-256' */
  readonly header?: string
}

/**
 * A code host: GitHub, GitHub Enterprise Server, or a service with the same signature and payloads.
 *
 * - Signature: HMAC-SHA256 over the raw body, `sha256=` and lower-case hexadecimal in `x-hub-signature-256`. Bodies of
 *   up to 25 MB, as JSON or as a form; both are signed as sent.
 * - `workflow_run.completed`: from `workflow_run` with the action `completed`. Key: run id and attempt.
 * - `package.published`: from `package` or `registry_package` with the action `published`. Key: the id of the version, so
 *   that a webhook with both subscriptions yields one event. A payload with `package_version: null` is ignored: it has
 *   no key.
 *
 * The header `x-github-event` is not signed, so the payload must match it.
 *
 * @throws TypeError when the name is malformed
 *
 * @example
 * ```ts
 * import { createCodehost } from '@sallyport/providers/codehost'
 *
 * export const forge = createCodehost({ name: 'forge' })
 * ```
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
export function createCodehost<const Name extends string = 'codehost'>(
  options: CodehostOptions<Name> = {},
): Provider<CodehostEvents, Name> {
  const { name = 'codehost' as Name, header = 'x-hub-signature-256' } = options
  return defineProvider<CodehostEvents, Name>({
    name,
    resends: false,
    signature: hmac({ algorithm: 'sha256', encoding: 'hex', header, prefix: 'sha256=' }),
    events: codehostEvents,
    queueable: ['workflow_run.completed'],
    bodyLimit: 25 * 1024 * 1024,
    parse: parseBody,
    readKind({ headers, payload }) {
      const event = headers.get('x-github-event')
      const action = readText(payload, 'action')
      return event !== null && action !== undefined ? `${event}.${action}` : (event ?? action)
    },
    normalize({ headers, payload }) {
      const recognized = recognize(headers, payload)
      if (recognized?.event === 'workflow_run') {
        return recognized.action === 'completed' ? completedRun(recognized) : []
      }
      return recognized?.action === 'published' ? publishedPackage(recognized) : []
    },
    notify,
  })
}

/** The code host with its default name. */
export const codehost = createCodehost()

function completedRun({ payload }: Recognized): NormalizedEvent<CodehostEvents> {
  const { repository, workflow, workflow_run: run, sender } = workflowRunPayload.parse(payload)
  const workflowPath = workflow?.path ?? run.path
  return {
    kind: 'workflow_run.completed',
    key: [run.id, run.run_attempt],
    subject: `${repository.full_name}/actions/runs/${run.id}`,
    ...occurredAt(run.updated_at),
    data: {
      repository: repository.full_name,
      workflow: workflow?.name ?? run.name ?? workflowPath ?? 'workflow',
      workflow_path: workflowPath,
      run_id: run.id,
      run_number: run.run_number,
      run_attempt: run.run_attempt,
      title: run.display_title,
      conclusion: run.conclusion,
      trigger: run.event,
      branch: run.head_branch,
      sha: run.head_sha,
      pull_requests: run.pull_requests.map(({ number }) => number),
      actor: run.triggering_actor ?? run.actor ?? sender,
      url: run.html_url,
      created_at: run.created_at,
      started_at: run.run_started_at,
      completed_at: run.updated_at,
    },
  }
}

function publishedPackage({ event, payload }: Recognized): readonly NormalizedEvent<CodehostEvents>[] {
  const { repository, package: one, sender } = packagePayload.parse({ ...payload, package: payload[event] })
  const { package_version: version } = one
  if (version === null) return []
  const type = (one.package_type ?? one.ecosystem)?.toLowerCase() ?? null
  const home = repository?.full_name ?? one.owner ?? 'packages'
  const publishedAt = version.created_at ?? version.updated_at ?? one.updated_at ?? one.created_at
  return [
    {
      kind: 'package.published',
      key: [version.id],
      subject: `${home}/packages/${one.id}`,
      ...occurredAt(publishedAt),
      data: {
        repository: repository?.full_name ?? null,
        owner: one.owner,
        package: one.name,
        package_id: one.id,
        package_type: type,
        version: version.version ?? version.name,
        version_id: version.id,
        tag: version.container_metadata?.tag?.name ?? null,
        sha: version.target_oid,
        actor: sender,
        url: version.html_url ?? one.html_url,
        install_command: version.installation_command,
        published_at: publishedAt,
      },
    },
  ]
}

/**
 * Parses a body in either content type of the service: JSON, or a form with the single field `payload`.
 *
 * The signed bytes decide: no JSON text begins with `payload=`, and the content type is not signed.
 *
 * @throws SallyportError `INVALID_JSON` (400), also for a form with other fields
 */
function parseBody(body: Uint8Array, largeIntegers?: LargeIntegers): unknown {
  return parseJson(formField(body) ?? body, largeIntegers)
}

const prefix = new TextEncoder().encode('payload=')

/** Percent-encoded form text without an ampersand, which would begin a second field. */
const oneField = /^payload=([!-%'-~]*)$/

/** The decoded bytes of the field `payload`, if the form is valid and has no other field. */
function formField(body: Uint8Array): Uint8Array | undefined {
  if (!prefix.every((byte, index) => body[index] === byte)) return undefined
  const [, encoded] = oneField.exec(new TextDecoder('latin1').decode(body)) ?? []
  if (encoded === undefined) return undefined
  try {
    return new TextEncoder().encode(decodeURIComponent(encoded.replaceAll('+', ' ')))
  } catch {
    return undefined
  }
}
