import type { ErrorExamples } from '@sallyport/rest/openapi'

/** Creates the errors in the examples of the document, as the server sends them. */
export function createErrorExamples(bodyLimit: number): ErrorExamples {
  return {
    ACCOUNT_SUSPENDED: { message: 'The account is suspended; ask an administrator' },
    BODY_CHANGED: { message: 'The object of the body of this delivery was changed' },
    BODY_MISSING: { message: 'The store has no object of the body of this delivery' },
    BODY_UNAVAILABLE: { message: 'The store of large bodies does not answer: try again' },
    CONFLICT: ({ operationId }) => ({
      message: conflicts.get(operationId) ?? 'A referenced resource was deleted a moment ago',
    }),
    CSRF_REJECTED: { message: 'A request with a session cookie needs the header X-CSRF-Protection: 1' },
    EMAIL_TAKEN: {
      message: 'Another user has this e-mail address',
      details: [{ code: 'TAKEN', field: 'email', in: 'body', message: 'Is taken' }],
    },
    HTTPS_REQUIRED: { message: 'Log in by HTTPS: browsers keep a session cookie only there' },
    INBOX_UNAVAILABLE: { message: 'The inbox is unavailable: try again' },
    INVALID_CREDENTIALS: { message: 'E-mail address or password is wrong' },
    INVALID_TOKEN: ({ operationId }) =>
      operationId === 'createToken' ? { message: 'The refresh token is not valid; log in again' } : undefined,
    INVITATION_INVALID: { message: 'Registration needs an invitation: ask an administrator for one' },
    LAST_ADMIN: { message: 'There is no other active admin: make another user an admin first' },
    NOT_FOUND: ({ operationId, path }) => {
      if (!path.includes('/deliveries')) return undefined
      const isEvent = operationId === 'getEventData'
      return { message: `There is no delivery with this id${isEvent ? ' and this event' : ''}` }
    },
    OVERLOADED: ({ method, operationId }) => ({
      message:
        method === 'GET'
          ? 'Too many searches at once; try again'
          : operationId === 'createSession' || operationId === 'createCookieSession'
            ? 'Too many logins of this account at the same time; try again'
            : 'Too many new passwords at once; try again',
    }),
    PAYLOAD_TOO_LARGE: { message: `The body may have at most ${bodyLimit} bytes` },
    PROVIDER_UNAVAILABLE: { message: 'The secret of this provider is unavailable: try again' },
    REGISTRATION_CLOSED: { message: 'Registration is closed: ask an administrator for an account' },
    SERVICE_UNAVAILABLE: ({ operationId }) => ({
      message:
        operationId === 'getReadiness'
          ? 'A dependency of the service does not work'
          : 'The database is busy; try again',
    }),
  }
}

const conflicts: ReadonlyMap<string, string> = new Map([
  ['createInvitation', 'There are 1000 invitations already: delete some'],
  ['replayDelivery', 'The content of this delivery was erased: it cannot be replayed'],
  [
    'eraseDelivery',
    'The delivery has an unpublished event or an open notification: erase the delivery afterwards',
  ],
])
