import { z } from 'zod'
import { count, id, listOf, optionalCount, optionalPart, optionalText, text } from '../fields.ts'
import { optionalTime } from '../time.ts'

const optionalLogin = optionalPart({ login: optionalText }).transform((user) => user?.login ?? null)

/** The parts of a `workflow_run` payload with the action `completed`. */
export const workflowRunPayload = z.object({
  repository: z.object({ full_name: text }),
  workflow: optionalPart({ name: optionalText, path: optionalText }),
  workflow_run: z.object({
    id,
    run_attempt: count,
    run_number: optionalCount,
    head_sha: optionalText,
    html_url: optionalText,
    name: optionalText,
    path: optionalText,
    display_title: optionalText,
    conclusion: optionalText,
    event: optionalText,
    head_branch: optionalText,
    triggering_actor: optionalLogin,
    actor: optionalLogin,
    created_at: optionalTime,
    run_started_at: optionalTime,
    updated_at: optionalTime,
    pull_requests: listOf(z.object({ number: count })),
  }),
  sender: optionalLogin,
})

const packagePart = z.object({
  id,
  name: text,
  package_type: optionalText,
  ecosystem: optionalText,
  html_url: optionalText,
  owner: optionalLogin,
  created_at: optionalTime,
  updated_at: optionalTime,
  // Null where the service says that there is none; missing, or without an id, it is one that cannot be read.
  package_version: z
    .object({
      id,
      version: optionalText,
      name: optionalText,
      html_url: optionalText,
      target_oid: optionalText,
      installation_command: optionalText,
      created_at: optionalTime,
      updated_at: optionalTime,
      container_metadata: optionalPart({ tag: optionalPart({ name: optionalText }) }),
    })
    .nullable(),
})

/** The parts of a `package` or `registry_package` payload with the action `published`. */
export const packagePayload = z.object({
  // A package of an organization need not belong to a repository.
  repository: optionalPart({ full_name: optionalText }),
  package: packagePart,
  sender: optionalLogin,
})

// What consumers get, in the snake_case of the REST side.

/** The data of `workflow_run.completed`: one attempt of one run, over. */
export const workflowRunCompleted = z.object({
  /** `owner/name`. */
  repository: z.string(),
  /** The workflow's name, or the path of its file when it has none. */
  workflow: z.string(),
  workflow_path: z.string().nullable(),
  run_id: z.string(),
  run_number: z.int().nullable(),
  /** 1 for the first, and one more for every re-run. */
  run_attempt: z.int(),
  /** What the run is about, such as the message of the commit. */
  title: z.string().nullable(),
  /** `success`, `failure`, `cancelled`, `timed_out`, `action_required`, `neutral`, `skipped`, `stale` or another word. */
  conclusion: z.string().nullable(),
  /** The event that started it, such as `push`. */
  trigger: z.string().nullable(),
  branch: z.string().nullable(),
  sha: z.string().nullable(),
  /** Numbers of the pull requests that it ran for. */
  pull_requests: z.array(z.int()),
  /** Login of whoever started this attempt. */
  actor: z.string().nullable(),
  url: z.string().nullable(),
  created_at: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})

/** The data of `package.published`: one version of one package. */
export const packagePublished = z.object({
  /** `owner/name` of the repository that the package belongs to, if any. */
  repository: z.string().nullable(),
  /** Login of the package's owner. */
  owner: z.string().nullable(),
  package: z.string(),
  package_id: z.string(),
  /** `npm`, `maven`, `rubygems`, `nuget`, `docker`, `container` or another word, in lower case. */
  package_type: z.string().nullable(),
  /** For an image, its digest. */
  version: z.string().nullable(),
  version_id: z.string(),
  /** The tag of an image. */
  tag: z.string().nullable(),
  sha: z.string().nullable(),
  /** Login of whoever published it. */
  actor: z.string().nullable(),
  url: z.string().nullable(),
  install_command: z.string().nullable(),
  published_at: z.string().nullable(),
})

/** The kinds of event of a code host, each with the schema of its data. */
export const codehostEvents = {
  'workflow_run.completed': workflowRunCompleted,
  'package.published': packagePublished,
}
export type CodehostEvents = typeof codehostEvents
