import { createAgreement, listNames, readPath } from './agreement.ts'

/** The events of Netlify. */
export const netlifyEvents = listNames({
  deploy_: 'created building failed deleted locked unlocked',
  deploy_request_: 'pending accepted rejected',
  submission_: 'created',
  split_test_: 'activated deactivated modified',
})

const hasState =
  (state: string) =>
  (payload: unknown): boolean =>
    readPath(payload, 'state') === state

/** Reports whether the name in the unsigned header can belong to the signed form submission or state of a deploy. */
export const agreesWithState = createAgreement('x-netlify-event', [
  ['form_id', /^submission_/],
  [hasState('building'), /^deploy_(?!created$|failed$)/],
  [hasState('error'), /^deploy_(?!building$|created$)/],
  [hasState('ready'), /^deploy_(?!building$|failed$)/],
  // A deploy that begins can be new, enqueued or in preparation.
  ['state', /^deploy_/],
])
