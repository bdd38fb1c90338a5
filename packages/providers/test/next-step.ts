import { readdir, readFile } from 'node:fs/promises'

/**
 * What of a scaffolded folder has to be filled in next, as `file:line: what to do`; undefined when nothing is left.
 * Steps are numbered; what has no number comes last.
 */
export async function nextStep(folder: URL): Promise<string | undefined> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const steps = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => {
        const path = `${parentPath.replace(/\/$/, '')}/${name}`
        const lines = (await readFile(path, 'utf8')).split('\n')
        return lines.flatMap((line, index) => {
          const [, number, what = ''] = /\bTODO\W*(\d+)?\W*(.*?)(?:",?)?$/.exec(line) ?? []
          if (!line.includes('TODO')) return []
          const where = `${path.slice(folder.pathname.length)}:${index + 1}`
          return [{ order: Number(number ?? Number.MAX_SAFE_INTEGER), told: `${where}: ${what}` }]
        })
      }),
  )
  return steps.flat().sort((a, b) => a.order - b.order)[0]?.told
}
