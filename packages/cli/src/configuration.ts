import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ZodType } from 'zod'
import { CommandError, usage, tryParseJson, type Io } from './io.ts'

/**
 * Returns the path of a file of the user: in `SALLYPORT_CONFIG_DIR`, or in the folder `sallyport` of the user's configuration.
 */
export function getConfigurationPath(name: string, env: Io['env']): string {
  const own = env['SALLYPORT_CONFIG_DIR']
  if (own) return join(own, name)
  const shared = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  return join(shared || join(env['HOME'] || homedir(), '.config'), 'sallyport', name)
}

/**
 * Reads a file of the user.
 *
 * @returns undefined if the file does not exist
 * @throws CommandError if the file cannot be read or has another form; the message omits the content
 */
export async function readConfiguration<Content>(
  path: string,
  schema: ZodType<Content>,
): Promise<Content | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new CommandError(usage, `${path} cannot be read (${code ?? 'unknown'})`)
  }
  const content = schema.safeParse(tryParseJson(text))
  if (content.success) return content.data
  throw new CommandError(usage, `${path} is damaged`, 'Delete the file, and repeat the command.')
}

/**
 * Writes a file that only the user can read, in one step.
 *
 * @throws CommandError if the file cannot be written
 */
export async function writeConfiguration(path: string, content: object): Promise<void> {
  const temporary = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
    // The mode of `writeFile` counts only for a new file.
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(usage, `${path} cannot be written (${code ?? 'unknown'})`)
  }
}
