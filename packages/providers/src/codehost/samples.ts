/**
 * Sample deliveries of a code host: the examples of the package @octokit/webhooks-examples (MIT), with the headers that
 * the service sends.
 *
 * @module
 */
import { recordedSamples, renamed, seconds, type Freshness } from '../provider-samples.ts'
import packagePublished from './fixtures/package.published.json' with { type: 'json' }
import workflowRunCompleted from './fixtures/workflow_run.completed.json' with { type: 'json' }

export const { kinds, sample, samples } = recordedSamples([
  { kind: 'workflow_run.completed', ...workflowRunCompleted, renew: freshRun },
  { kind: 'package.published', ...packagePublished, renew: freshPackage },
])

function freshRun({ uuid, id, now }: Freshness) {
  const { headers, body: recorded } = workflowRunCompleted
  const body = renamed(recorded, recorded.workflow_run.id, id)
  const times = {
    created_at: seconds(now - 90_000),
    run_started_at: seconds(now - 80_000),
    updated_at: seconds(now),
  }
  return {
    headers: { ...headers, 'x-github-delivery': uuid },
    body: { ...body, workflow_run: { ...body.workflow_run, ...times } },
  }
}

function freshPackage({ uuid, id, now }: Freshness) {
  const { headers, body: recorded } = packagePublished
  const body = renamed(recorded, recorded.package.package_version.id, id)
  const times = { created_at: seconds(now), updated_at: seconds(now) }
  const version = { ...body.package.package_version, ...times }
  return {
    headers: { ...headers, 'x-github-delivery': uuid },
    body: { ...body, package: { ...body.package, updated_at: times.updated_at, package_version: version } },
  }
}
