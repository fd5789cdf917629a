// Loaded with --import into the web and worker processes: when the program that started them dies without a word
// (kill -9), its end of the channel closes, and they stop as if asked to.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
