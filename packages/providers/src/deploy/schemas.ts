import * as z from 'zod'
import { id, validElements, optionalId, optionalPart, optionalText, text } from '../fields.ts'
import { optionalMoment } from '../time.ts'

/** The payload of a delivery about a deployment. */
export const deploymentPayload = z.object({
  id,
  // Milliseconds; some versions of the documentation call it a date.
  createdAt: optionalMoment,
  payload: z.object({
    deployment: z.object({
      id,
      name: optionalText,
      url: optionalText,
      // Metadata of the Git host. The names of the fields start with the name of the host.
      meta: z.record(z.string(), z.unknown()).nullable().catch(null).default(null),
    }),
    project: optionalPart({ id: optionalId, name: optionalText }),
    team: optionalPart({ id: optionalId }),
    user: optionalPart({ id: optionalId }),
    links: optionalPart({ deployment: optionalText, project: optionalText }),
    target: optionalText,
    alias: validElements(text),
  }),
})
export type DeploymentPayload = z.output<typeof deploymentPayload>

/** The data of every kind: the deployment at the time of the event. */
export const deployment = z.object({
  deployment_id: z.string(),
  /** The name of the project, which is also part of the deployment's address. */
  project: z.string().nullable(),
  project_id: z.string().nullable(),
  /** `production`, `staging` or another environment; null for a preview. */
  target: z.string().nullable(),
  /** The address of the deployment. */
  url: z.string().nullable(),
  /** The domains that will point to the deployment. */
  aliases: z.array(z.string()),
  branch: z.string().nullable(),
  sha: z.string().nullable(),
  commit_message: z.string().nullable(),
  /** The name of the commit's author. */
  actor: z.string().nullable(),
  team_id: z.string().nullable(),
  user_id: z.string().nullable(),
  /** The address of its logs. */
  inspect_url: z.string().nullable(),
  project_url: z.string().nullable(),
  occurred_at: z.string().nullable(),
})

/** The kinds of events of a deployment platform with the schemas of their data. */
export const deployEvents = {
  'deploy.created': deployment,
  'deploy.succeeded': deployment,
  'deploy.error': deployment,
  'deploy.canceled': deployment,
}
export type DeployEvents = typeof deployEvents
