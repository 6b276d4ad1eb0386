export default {
  project: 'published-files',
  assets: { baseUrl: 'https://files.example.com/help', inlineUnder: '1kB' },
}
