/** A file as a message shows it; `size` in bytes. */
export type SharedFile = { id: string; name: string; title: string; size: number }

/** A file that was begun to be uploaded. `content` is null until it came. */
export type UploadedFile = SharedFile & { length: number; content: Buffer | null; isShared: boolean }

/** The file object of a message. */
export const slackFile = ({ id, name, title, size }: SharedFile) => ({
  ...{ id, name, title, size, mimetype: 'text/plain', filetype: 'text', mode: 'hosted', user: 'U0PODWHY' },
  permalink: `https://podwhy.slack.com/files/U0PODWHY/${id}/${name}`,
})

/** The upload of a file: https://docs.slack.dev/messaging/working-with-files#uploading_files */
export class SlackFiles {
  readonly all: UploadedFile[] = []

  /** Begins an upload; gives its id, or Slack's word for what is wrong. */
  begin(args: Record<string, string>): { id: string } | { error: string } {
    const { filename: name, length } = args
    if (name === undefined || length === undefined) return { error: 'invalid_arguments' }
    const id = `F0FILE${this.all.length + 1}`
    this.all.push({ id, name, title: name, length: Number(length), size: 0, content: null, isShared: false })
    return { id }
  }

  /** Takes the content, which must be as long as was said: raw, or as the one file of a form. */
  async take(id: string, body: Buffer, contentType: string): Promise<200 | 400 | 404> {
    const file = this.all.find(each => each.id === id)
    if (file === undefined || file.content !== null) return 404
    const content = contentType.startsWith('multipart/form-data') ? await onlyFile(body, contentType) : body
    if (content?.length !== file.length) return 400
    Object.assign(file, { content, size: content.length })
    return 200
  }

  /** Ends uploads: those files can be shared from now on. */
  complete(args: Record<string, string>): SharedFile[] | { error: string } {
    const asked: { id: string; title?: string }[] = JSON.parse(args['files'] ?? '[]')
    if (asked.length === 0) return { error: 'invalid_arguments' }
    const found = asked.map(({ id }) => this.all.find(file => file.id === id))
    if (found.some(file => file === undefined || file.content === null || file.isShared))
      return { error: 'file_not_found' }
    return asked.map(({ id, title }, index) => {
      const file = Object.assign(found[index] as UploadedFile, {
        isShared: true,
        ...(title === undefined ? {} : { title }),
      })
      return { id, name: file.name, title: file.title, size: file.size }
    })
  }
}

async function onlyFile(body: Buffer, contentType: string): Promise<Buffer | null> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  const files = [...form.values()].filter(value => value instanceof File)
  return files.length === 1 && files[0] ? Buffer.from(await files[0].arrayBuffer()) : null
}
