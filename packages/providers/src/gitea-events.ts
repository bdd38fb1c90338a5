import type { VerifiedDelivery } from '@sallyport/webhooks'
import { createAgreement, listNames } from './agreement.ts'

/** The events of Gitea and Forgejo. */
export const giteaEvents = listNames({
  '': 'create delete fork push repository release package wiki status workflow_job workflow_run schedule',
  issue: 's _comment',
  pull_request: ' _comment _approved _rejected _review_request',
  action_run_: 'success failure recover',
})

const agrees = createAgreement('x-gitea-event', [
  ['page', /^wiki$/],
  ['workflow_job', /^workflow_job$/],
  ['workflow_run', /^workflow_run$/],
  // The comment of a wiki page is a text.
  ['comment.id', /^(?:issue|pull_request)_comment$/],
  ['pull_request', /^pull_request/],
  ['issue', /^issue/],
  ['forkee', /^fork$/],
  ['release', /^release$/],
  ['package', /^package$/],
  ['run', /^action_run_/],
  ['commits', /^push$/],
  ['ref_type', /^(?:create|delete)$/],
])

/** The members that name the events without a name in the header. */
const own = ['package', 'workflow_job', 'workflow_run']

function nameOf(event: unknown): string | undefined {
  const body = Object(event) as object
  if (Object.hasOwn(body, 'context') && Object.hasOwn(body, 'sha')) return 'status'
  return own.find((name) => Object.hasOwn(body, name))
}

/** Returns the name in the header, which is empty for some events: a member of their own names those. */
export const nameEvent = (event: unknown, { headers }: VerifiedDelivery): string | undefined =>
  headers.get('x-gitea-event') || nameOf(event)

/** Reports whether the name in the unsigned header can belong to the signed body. */
export const agreesWithBody = (delivery: VerifiedDelivery): boolean =>
  !delivery.headers.get('x-gitea-event') || agrees(delivery)
