import { createAgreement, listNames } from './agreement.ts'

/** The events of Bitbucket Cloud. */
export const bitbucketEvents = listNames({
  'repo:': 'push fork updated transfer created deleted imported',
  'repo:commit_': 'comment_created status_created status_updated',
  'project:': 'updated',
  'issue:': 'created updated comment_created',
  'pullrequest:': 'created updated push approved unapproved fulfilled rejected',
  'pullrequest:changes_request_': 'created removed',
  'pullrequest:comment_': 'created updated deleted resolved reopened',
})

/** Reports whether the name in the unsigned header can belong to the signed body. */
export const agreesWithBody = createAgreement('x-event-key', [
  ['push', /^repo:push$/],
  ['fork', /^repo:fork$/],
  ['commit_status', /^repo:commit_status_/],
  ['commit', /^repo:commit_comment_/],
  ['pullrequest comment', /^pullrequest:comment_/],
  ['pullrequest approval', /^pullrequest:(?:un)?approved$/],
  ['pullrequest changes_request', /^pullrequest:changes_request_/],
  ['pullrequest', /^pullrequest:(?!comment_|approved|unapproved|changes_request_)/],
  ['issue', /^issue:/],
])

/** The members of a body that have a time. */
const dated = ['pullrequest', 'issue', 'comment', 'commit_status']

/** Reports whether a body has no time, so that it can repeat. */
export const isUndated = (event: unknown): boolean =>
  !dated.some((name) => Object.hasOwn(Object(event) as object, name))

/** Reads the time of a pull request, or of the commit that a push ends with. */
export function readTime(event: unknown): unknown {
  const { pullrequest, push } = Object(event) as { pullrequest?: { updated_on?: unknown }; push?: Push }
  return pullrequest?.updated_on ?? push?.changes?.[0]?.new?.target?.date
}

interface Push {
  readonly changes?: readonly { readonly new?: { readonly target?: { readonly date?: unknown } } | null }[]
}
