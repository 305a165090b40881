package configs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Loader collects the sources of settings. Use one Loader for one command.
type Loader struct {
	values *viper.Viper
}

// NewLoader makes a Loader that knows the built-in defaults and the
// environment variables TUNE_*.
func NewLoader() (*Loader, error) {
	values := viper.New()
	values.SetConfigType("yaml")
	if err := values.ReadConfig(bytes.NewReader(Default)); err != nil {
		return nil, fmt.Errorf("built-in settings: %w", err)
	}
	values.SetEnvPrefix("TUNE")
	values.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	values.AutomaticEnv()
	return &Loader{values: values}, nil
}

// Bind lets a flag, when the user gives it, override the setting of that key,
// such as "limits.build_seconds".
func (l *Loader) Bind(key string, flag *pflag.Flag) error {
	if flag == nil {
		return fmt.Errorf("setting %s: no such flag", key)
	}
	if !knownKeys().has(key) {
		return fmt.Errorf("flag --%s: no setting %s", flag.Name, key)
	}
	return l.values.BindPFlag(key, flag)
}

// Load reads the user's file and returns the settings of all sources. With
// file == "" it reads UserFile(), which need not exist; a named file must.
// An unknown key in the file, a value of the wrong type and a value out of
// range are errors.
func (l *Loader) Load(file string) (Settings, error) {
	text, path, err := readUserFile(file)
	if err != nil {
		return Settings{}, err
	}
	if text != nil {
		if err := checkKeys(path, text); err != nil {
			return Settings{}, err
		}
		if err := l.values.MergeConfig(bytes.NewReader(text)); err != nil {
			return Settings{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	var settings Settings
	if err := l.values.UnmarshalExact(&settings, strictDecoding); err != nil {
		return Settings{}, fmt.Errorf("settings from %s: %w", strings.Join(sources(text, path), ", "), err)
	}
	builtin, err := Builtin()
	if err != nil {
		return Settings{}, err
	}
	settings.complete(builtin.Toolchains)
	return settings, settings.validate()
}

// UserFile is the place of the user's settings:
// $XDG_CONFIG_HOME/tune/config.yaml, or "" when there is no home directory.
func UserFile() string {
	directory, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(directory, "tune", "config.yaml")
}

// readUserFile returns nil text where no file was named and there is none.
func readUserFile(file string) (text []byte, path string, err error) {
	path = file
	if path == "" {
		if path = UserFile(); path == "" {
			return nil, "", nil
		}
	}
	text, err = os.ReadFile(path)
	switch {
	case err == nil:
		return append([]byte{}, text...), path, nil
	case file == "" && errors.Is(err, fs.ErrNotExist):
		return nil, path, nil
	default:
		return nil, path, fmt.Errorf("cannot read the settings: %w", err)
	}
}

func strictDecoding(c *mapstructure.DecoderConfig) {
	c.WeaklyTypedInput = true
	c.DecodeHook = mapstructure.ComposeDecodeHookFunc(wordsHook, plainBoolHook)
}

// wordsHook reads a list of flags that is written as one line of words.
func wordsHook(from, to reflect.Type, value any) (any, error) {
	if from.Kind() == reflect.String && to == reflect.TypeFor[[]string]() {
		return strings.Fields(value.(string)), nil
	}
	return value, nil
}

// plainBoolHook refuses true and false where a number or a text is wanted,
// which weak typing, needed for the environment's texts, would accept.
func plainBoolHook(from, to reflect.Type, value any) (any, error) {
	if from.Kind() == reflect.Bool && to.Kind() != reflect.Bool && to.Kind() != reflect.Interface {
		return nil, fmt.Errorf("%v where a %s is wanted", value, to.Kind())
	}
	return value, nil
}

func sources(text []byte, path string) []string {
	list := []string{"the environment (TUNE_*)", "the command line"}
	if text != nil {
		list = append([]string{path}, list...)
	}
	return list
}

// Builtin are the settings of default.yaml alone.
func Builtin() (Settings, error) {
	values := viper.New()
	values.SetConfigType("yaml")
	var settings Settings
	err := values.ReadConfig(bytes.NewReader(Default))
	if err == nil {
		err = values.UnmarshalExact(&settings, strictDecoding)
	}
	if err != nil {
		return Settings{}, fmt.Errorf("built-in settings: %w", err)
	}
	settings.complete(settings.Toolchains)
	return settings, nil
}
