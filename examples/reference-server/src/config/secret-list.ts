/** The secrets that the server looks for, and what each is; `<PROVIDER>` stands for the name of one. */
export const secretList = {
  JWT_SECRET:
    '32 bytes or more; signs access tokens, and makes refresh tokens, cursors and fingerprints of idempotent requests. Needed in production',
  JWT_KEYS: 'Private keys, as PEM or JSON Web Keys, that sign access tokens instead',
  'WEBHOOK_SECRET_<PROVIDER>': 'What a provider signs with; its name in upper case, dashes as underscores',
  OPERATOR_SECRET: '`whsec_` and base64; signs the messages to OPERATOR_URL, and is needed with it',
  ADMIN_EMAIL: 'The address of the first admin, who is created when nobody has it',
  ADMIN_PASSWORD:
    'The password that the first admin begins with, 8 to 128 characters; belongs to ADMIN_EMAIL',
} as const
