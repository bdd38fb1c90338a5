/** The secrets of the server with their descriptions; `<PROVIDER>` stands for the name of a provider. */
export const secretList = {
  JWT_SECRET:
    'At least 32 bytes. Signs access tokens; creates refresh tokens, cursors and fingerprints of idempotent requests. Required in production',
  JWT_KEYS: 'Private keys, as PEM or JSON Web Keys, that sign access tokens instead of JWT_SECRET',
  'WEBHOOK_SECRET_<PROVIDER>':
    'The signing secret of a provider; its name is upper-case, with underscores for dashes',
  OPERATOR_SECRET: '`whsec_` and base64. Signs notifications to OPERATOR_URL; required with OPERATOR_URL',
  ADMIN_EMAIL:
    'The email address of the first admin. The server creates the account if the address is unused',
  ADMIN_PASSWORD: 'The initial password of the first admin, 8 to 128 characters; required with ADMIN_EMAIL',
} as const
