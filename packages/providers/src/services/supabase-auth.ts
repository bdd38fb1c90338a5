import { defineService, standardWebhooks, type ServiceFacts } from '@sallyport/webhooks'

/** Supabase: HTTP hooks of Auth. */
export const supabaseAuth = defineService({
  name: 'supabase-auth',
  createsSecret: true,
  signature: standardWebhooks({ secretPrefix: 'v1,whsec_', separator: ', ' }),
  kind: (event) => readName(event),
  distinct: (event) => !readMembers(event).metadata,
  subject: ['user.id', 'user_id'],
  time: 'metadata.time',
  answer: { status: 200, body: '{}', contentType: 'application/json' },
})

/** The members that tell older hooks apart, which have no name. */
const names = {
  sms: 'send-sms',
  email_data: 'send-email',
  claims: 'customize-access-token',
  factor_id: 'mfa-verification',
  valid: 'password-verification',
}

interface Members {
  readonly metadata?: { readonly name?: unknown }
}

const readMembers = (event: unknown): Members => Object(event) as Members

function readName(event: unknown): unknown {
  const members = readMembers(event)
  return members.metadata?.name ?? Object.entries(names).find(([member]) => member in members)?.[1]
}

export const facts: ServiceFacts = {
  title: 'Supabase Auth hooks',
  docs: 'https://supabase.com/docs/guides/auth/auth-hooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/supabase/auth/blob/master/internal/hooks/v0hooks/v0hooks.go',
    'https://github.com/supabase/auth/blob/master/internal/hooks/hookshttp/hookshttp.go',
  ],
  setup: [
    'Open Authentication, Hooks, and add an HTTPS hook with the address.',
    'The secret is the generated secret, with its prefix `v1,whsec_`.',
  ],
  retries: 'three attempts, two seconds apart, after a timeout or a status of 429 or 503 with `Retry-After`',
  traps: [
    'The answer is an empty object: use only hooks that accept it, such as `send-sms`, `send-email` and `after-user-created`.',
    '`webhook-id` is new for each attempt: the id is the hash of the body, which has `metadata.uuid`.',
    'Older hooks have no metadata: each delivery is a new event, because equal bodies can tell of different sign-ins.',
    'Several signatures are joined by a comma and a space.',
    'The events of `send-sms` and `send-email` have one-time codes.',
  ],
}
