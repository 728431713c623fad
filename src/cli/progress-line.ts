/** A line on a terminal that says what is being done; nothing for other programs. */
export function startProgressLine() {
  const { stderr } = process
  return {
    show(text: string) {
      if (stderr.isTTY) stderr.write(`\r\x1b[K${text}`)
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}
