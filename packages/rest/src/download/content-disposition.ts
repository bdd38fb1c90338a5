/**
 * Formats the value of `Content-Disposition`. A name with other characters than ASCII is sent in UTF-8 (RFC 8187), and with
 * underscores for old clients.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
export function formatContentDisposition(type: 'attachment' | 'inline', filename?: string): string {
  if (filename === undefined) return type
  // A client must not take a part of the name for a folder.
  const name = filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_')
  // Clients disagree about escapes and percent-encoding in quotes.
  const ascii = name.replaceAll(/[^ -~]|["%]/gu, '_')
  if (ascii === name) return `${type}; filename="${name}"`
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
