import * as z from 'zod'
import { count, id, validElements, optionalCount, optionalPart, optionalText, text } from '../fields.ts'
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
    pull_requests: validElements(z.object({ number: count })),
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
  // Null if the payload has no version. A missing version, or a version without an id, is invalid.
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

// Data of published events, in the snake_case of the REST API.

/** The data of `workflow_run.completed`: one completed attempt of a run. */
export const workflowRunCompleted = z.object({
  /** `owner/name`. */
  repository: z.string(),
  /** The name of the workflow, or the path of its file. */
  workflow: z.string(),
  workflow_path: z.string().nullable(),
  run_id: z.string(),
  run_number: z.int().nullable(),
  /** 1 for the first attempt, plus 1 for each re-run. */
  run_attempt: z.int(),
  /** The title of the run, such as the commit message. */
  title: z.string().nullable(),
  /** `success`, `failure`, `cancelled`, `timed_out`, `action_required`, `neutral`, `skipped`, `stale` or another value. */
  conclusion: z.string().nullable(),
  /** The event that started the run, such as `push`. */
  trigger: z.string().nullable(),
  branch: z.string().nullable(),
  sha: z.string().nullable(),
  /** The numbers of the run's pull requests. */
  pull_requests: z.array(z.int()),
  /** The login of the user who started this attempt. */
  actor: z.string().nullable(),
  url: z.string().nullable(),
  created_at: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})

/** The data of `package.published`: one version of one package. */
export const packagePublished = z.object({
  /** `owner/name` of the package's repository, if it has one. */
  repository: z.string().nullable(),
  /** The login of the package's owner. */
  owner: z.string().nullable(),
  package: z.string(),
  package_id: z.string(),
  /** `npm`, `maven`, `rubygems`, `nuget`, `docker`, `container` or another value, in lower case. */
  package_type: z.string().nullable(),
  /** For an image, its digest. */
  version: z.string().nullable(),
  version_id: z.string(),
  /** The tag of an image. */
  tag: z.string().nullable(),
  sha: z.string().nullable(),
  /** The login of the publisher. */
  actor: z.string().nullable(),
  url: z.string().nullable(),
  install_command: z.string().nullable(),
  published_at: z.string().nullable(),
})

/** The kinds of events of a code host with the schemas of their data. */
export const codehostEvents = {
  'workflow_run.completed': workflowRunCompleted,
  'package.published': packagePublished,
}
export type CodehostEvents = typeof codehostEvents
