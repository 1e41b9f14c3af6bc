class Ricochet < Formula
  desc "Play, solve and analyse the board game Ricochet Robots"
  homepage "https://github.com/OWNER/ricochet"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/OWNER/ricochet/releases/download/v@VERSION@/ricochet-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "https://github.com/OWNER/ricochet/releases/download/v@VERSION@/ricochet-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/OWNER/ricochet/releases/download/v@VERSION@/ricochet-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "https://github.com/OWNER/ricochet/releases/download/v@VERSION@/ricochet-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "ricochet"
    man1.install Dir["man/*.1"]
    bash_completion.install "complete/ricochet.bash" => "ricochet"
    zsh_completion.install "complete/_ricochet"
    fish_completion.install "complete/ricochet.fish"
  end

  test do
    assert_match "25 moves, optimal", shell_output("#{bin}/ricochet solve 7650+42+E2302B12+C9")
  end
end
