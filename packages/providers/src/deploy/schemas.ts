import { z } from 'zod'
import { id, listOf, optionalId, optionalPart, optionalText, text } from '../fields.ts'
import { optionalMoment } from '../time.ts'

/** The parts of a delivery about a deployment. */
export const deploymentPayload = z.object({
  id,
  // A number of milliseconds; the documentation has called it a date as well.
  createdAt: optionalMoment,
  payload: z.object({
    deployment: z.object({
      id,
      name: optionalText,
      url: optionalText,
      // What the Git host told; the names of its fields begin with the name of the host.
      meta: z.record(z.string(), z.unknown()).nullable().catch(null).default(null),
    }),
    project: optionalPart({ id: optionalId, name: optionalText }),
    team: optionalPart({ id: optionalId }),
    user: optionalPart({ id: optionalId }),
    links: optionalPart({ deployment: optionalText, project: optionalText }),
    target: optionalText,
    alias: listOf(text),
  }),
})
export type DeploymentPayload = z.output<typeof deploymentPayload>

/** The data of every kind: a deployment, at the moment that the kind names. */
export const deployment = z.object({
  deployment_id: z.string(),
  /** The project's name; it is also in the deployment's address. */
  project: z.string().nullable(),
  project_id: z.string().nullable(),
  /** `production`, `staging` or another environment; null for a preview. */
  target: z.string().nullable(),
  /** Where the deployment itself answers. */
  url: z.string().nullable(),
  /** The names that it is going to have. */
  aliases: z.array(z.string()),
  branch: z.string().nullable(),
  sha: z.string().nullable(),
  commit_message: z.string().nullable(),
  /** Name of the commit's author. */
  actor: z.string().nullable(),
  team_id: z.string().nullable(),
  user_id: z.string().nullable(),
  /** Where its logs are. */
  inspect_url: z.string().nullable(),
  project_url: z.string().nullable(),
  occurred_at: z.string().nullable(),
})

/** The kinds of event of a deployment platform, each with the schema of its data. */
export const deployEvents = {
  'deploy.created': deployment,
  'deploy.succeeded': deployment,
  'deploy.error': deployment,
  'deploy.canceled': deployment,
}
export type DeployEvents = typeof deployEvents
